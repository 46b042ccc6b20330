//! Names: how they are written in JSON, and which one was meant.

use syn::{Error, LitStr, Result};

/// `, did you mean ..`, or what is known if nothing is near.
pub(crate) fn hint<T: AsRef<str>>(wrong: &str, known: &[T]) -> String {
    let near = known.iter().map(|name| (distance(wrong, name.as_ref()), name.as_ref())).min();
    match near {
        Some((distance, name)) if distance <= wrong.len().max(name.len()) / 2 => {
            format!("; did you mean `{name}`?")
        }
        Some(_) => {
            let known: Vec<_> = known.iter().map(|name| format!("`{}`", name.as_ref())).collect();
            format!(" (expected {})", known.join(", "))
        }
        None => String::new(),
    }
}

/// How many characters differ, case ignored (Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (n_left, a) in left.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = n_left + 1;
        for (idx, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[idx + 1];
            row[idx + 1] = replaced.min(diagonal + 1).min(row[idx] + 1);
        }
    }
    row[right.len()]
}

/// What `rename_all` does.
#[derive(Clone, Copy)]
pub(crate) enum Casing {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
}

const CASINGS: &[(&str, Casing)] = &[
    ("lowercase", Casing::Lower),
    ("UPPERCASE", Casing::Upper),
    ("PascalCase", Casing::Pascal),
    ("camelCase", Casing::Camel),
    ("snake_case", Casing::Snake),
    ("SCREAMING_SNAKE_CASE", Casing::ScreamingSnake),
    ("kebab-case", Casing::Kebab),
];

impl Casing {
    pub(crate) fn parse(text: &LitStr) -> Result<Self> {
        let value = text.value();
        let found = CASINGS.iter().find(|(name, _)| *name == value);
        found.map(|(_, casing)| *casing).ok_or_else(|| {
            let names: Vec<_> = CASINGS.iter().map(|(name, _)| *name).collect();
            Error::new(text.span(), format!("there is no such case{}", hint(&value, &names)))
        })
    }

    /// The name of a field (`snake_case`) or a variant (`PascalCase`) in this case.
    pub(crate) fn apply(self, name: &str) -> String {
        let words = words(name);
        let capitals = || words.iter().map(|word| capital(word));
        match self {
            Self::Lower => words.concat(),
            Self::Upper => words.concat().to_uppercase(),
            Self::Pascal => capitals().collect(),
            Self::Camel => words.iter().take(1).cloned().chain(capitals().skip(1)).collect(),
            Self::Snake => words.join("_"),
            Self::ScreamingSnake => words.join("_").to_uppercase(),
            Self::Kebab => words.join("-"),
        }
    }
}

fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        let last = words.last_mut().expect("there is always one");
        match letter {
            '_' => words.push(String::new()),
            _ if letter.is_uppercase() && !last.is_empty() => {
                words.push(letter.to_lowercase().collect());
            }
            _ => last.extend(letter.to_lowercase()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
