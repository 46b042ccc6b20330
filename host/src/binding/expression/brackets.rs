//! Literal text and expressions, told apart by braces.

use super::{Replaced, reference::Place};

/// A piece of a template.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// Text, its doubled braces single.
    Literal(String),
    /// What stands between two braces.
    Expression { text: &'t str, place: Place<'t> },
}

/// Takes a text apart. Errors are in Azure's words, and with its positions.
pub(super) fn pieces(replaced: &Replaced) -> Result<Vec<Piece<'_>>, String> {
    let text = replaced.text();
    let missing = |bracket: &str, position: usize| {
        Err(format!("missing {bracket} bracket at position {position}"))
    };
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        let doubled = characters.peek().is_some_and(|&(_, next)| next == character);
        match character {
            '{' | '}' if doubled => {
                characters.next();
                literal.push(character);
            }
            '}' => return missing("opening", replaced.position(start)),
            '{' => {
                let end = loop {
                    match characters.next() {
                        None => return missing("closing", replaced.position(start)),
                        Some((inner, '{')) => {
                            return missing("closing", replaced.position(inner) - 1);
                        }
                        Some((end, '}')) => break end,
                        Some(_) => {}
                    }
                };
                let expression = &text[start + 1..end];
                if expression.trim().is_empty() {
                    let position = replaced.position(start + 1);
                    return Err(format!("the parameter name at position {position} is empty"));
                }
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                let quote = replaced.configured_part(start..end + 1);
                let place = Place { quote, position: replaced.position(start) };
                pieces.push(Piece::Expression { text: expression, place });
            }
            other => literal.push(other),
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    Ok(pieces)
}
