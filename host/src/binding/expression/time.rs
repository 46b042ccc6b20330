//! `{DateTime:yyyy-MM-dd}`: a time in the custom formats of .NET.

use std::{fmt::Write as _, iter::Peekable, str::Chars};

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};

/// What Azure writes without a format: what could not be part of a file name is left out.
const DEFAULT: &str = "yyyy-MM-ddTHH-mm-ssK";

/// .NET counts in ticks of 100 ns.
const MAX_FRACTION_DIGITS: usize = 7;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// How a time is written: in English, in UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::binding) struct TimeFormat {
    pieces: Vec<Piece>,
}

/// A run of one letter means one thing; how long it is says how the thing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Specifier { letter: char, n_letters: usize },
}

impl Default for TimeFormat {
    fn default() -> Self {
        Self::parse(DEFAULT).expect("the format is our own, and one")
    }
}

impl TimeFormat {
    /// Reads a custom format. An error is what a message says of the format.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let custom = "expected a custom format of .NET, such as `yyyy-MM-dd`";
        match text.chars().count() {
            0 => return Err(format!("has an empty format ({custom})")),
            1 => {
                return Err(format!(
                    "has a format of one letter, which .NET keeps for its standard formats ({custom})"
                ));
            }
            _ => {}
        }
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let specifier = match character {
                '\\' => match characters.next() {
                    Some(escaped) => {
                        literal.push(escaped);
                        continue;
                    }
                    None => return Err("has a format that ends with a `\\`".to_owned()),
                },
                '\'' | '"' => {
                    quoted(&mut characters, character, &mut literal)?;
                    continue;
                }
                // Makes a specifier of one letter, wherever it stands.
                '%' => match characters.next() {
                    Some(letter) if letter != '%' && is_specifier(letter) => {
                        Piece::Specifier { letter, n_letters: 1 }
                    }
                    Some(other) if other != '%' => {
                        literal.push(other);
                        continue;
                    }
                    _ => return Err("has a format with a `%` before no letter".to_owned()),
                },
                letter if is_specifier(letter) => {
                    let mut n_letters = 1;
                    while characters.next_if_eq(&letter).is_some() {
                        n_letters += 1;
                    }
                    if matches!(letter, 'f' | 'F') && n_letters > MAX_FRACTION_DIGITS {
                        return Err(format!(
                            "has a format with more than {MAX_FRACTION_DIGITS} digits of a second"
                        ));
                    }
                    Piece::Specifier { letter, n_letters }
                }
                other => {
                    literal.push(other);
                    continue;
                }
            };
            if !literal.is_empty() {
                pieces.push(Piece::Literal(std::mem::take(&mut literal)));
            }
            pieces.push(specifier);
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Ok(Self { pieces })
    }

    /// Writes a time.
    pub(super) fn write(&self, time: DateTime<Utc>) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Specifier { letter, n_letters } => {
                    specified(time, *letter, *n_letters, &mut text);
                }
            }
        }
        text
    }
}

fn is_specifier(letter: char) -> bool {
    "dfFghHKmMstyz".contains(letter)
}

/// Text in quotation marks stands for itself.
fn quoted(
    characters: &mut Peekable<Chars<'_>>,
    mark: char,
    literal: &mut String,
) -> Result<(), String> {
    while let Some(character) = characters.next() {
        match character {
            '\\' => literal.extend(characters.next()),
            end if end == mark => return Ok(()),
            other => literal.push(other),
        }
    }
    Err(format!("has a format with a `{mark}` that is not closed"))
}

fn specified(time: DateTime<Utc>, letter: char, n_letters: usize, text: &mut String) {
    // .NET takes longer runs for two letters.
    let mut two_digits = |number: u32| {
        let width = n_letters.min(2);
        write!(text, "{number:0width$}").expect("a string takes all that is written");
    };
    match letter {
        'd' if n_letters <= 2 => two_digits(time.day()),
        'd' => {
            let day = DAYS[time.weekday().num_days_from_sunday() as usize];
            text.push_str(if n_letters == 3 { &day[..3] } else { day });
        }
        'M' if n_letters <= 2 => two_digits(time.month()),
        'M' => {
            let month = MONTHS[time.month0() as usize];
            text.push_str(if n_letters == 3 { &month[..3] } else { month });
        }
        'y' if n_letters <= 2 => two_digits(time.year().unsigned_abs() % 100),
        'y' => {
            let year = time.year();
            write!(text, "{year:0n_letters$}").expect("a string takes all that is written");
        }
        'H' => two_digits(time.hour()),
        'h' => two_digits(time.hour12().1),
        'm' => two_digits(time.minute()),
        's' => two_digits(time.second()),
        'f' | 'F' => fraction(time, letter, n_letters, text),
        't' => {
            let half = if time.hour12().0 { "PM" } else { "AM" };
            text.push_str(if n_letters == 1 { &half[..1] } else { half });
        }
        'g' => text.push_str("A.D."),
        'K' => text.extend(std::iter::repeat_n('Z', n_letters)),
        _ => text.push_str(match n_letters {
            1 => "+0",
            2 => "+00",
            _ => "+00:00",
        }),
    }
}

/// `F` writes no zeros at the end, and takes a point before it along when nothing is left.
fn fraction(time: DateTime<Utc>, letter: char, n_letters: usize, text: &mut String) {
    // A leap second counts on beyond the second.
    let ticks = time.nanosecond() % 1_000_000_000 / 100;
    let digits = format!("{ticks:0MAX_FRACTION_DIGITS$}");
    let digits = &digits[..n_letters];
    if letter == 'f' {
        text.push_str(digits);
        return;
    }
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() && text.ends_with('.') {
        text.pop();
    }
    text.push_str(digits);
}
