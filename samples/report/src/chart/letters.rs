//! Letters of five rows with three dots each: what fits below a bar.

pub(super) const WIDTH: usize = 3;
pub(super) const HEIGHT: usize = 5;

/// A row is one digit in octal: its dots are the bits.
const LETTERS: &[(char, u16)] = &[
    ('0', 0o75557),
    ('1', 0o26227),
    ('2', 0o71747),
    ('3', 0o71717),
    ('4', 0o55711),
    ('5', 0o74717),
    ('6', 0o74757),
    ('7', 0o71222),
    ('8', 0o75757),
    ('9', 0o75717),
    ('A', 0o25755),
    ('B', 0o65656),
    ('C', 0o34443),
    ('D', 0o65556),
    ('E', 0o74647),
    ('F', 0o74644),
    ('G', 0o34553),
    ('H', 0o55755),
    ('I', 0o72227),
    ('J', 0o11152),
    ('K', 0o55655),
    ('L', 0o44447),
    ('M', 0o57755),
    ('N', 0o65555),
    ('O', 0o25552),
    ('P', 0o65644),
    ('Q', 0o25573),
    ('R', 0o65655),
    ('S', 0o34216),
    ('T', 0o72222),
    ('U', 0o55557),
    ('V', 0o55552),
    ('W', 0o55775),
    ('X', 0o55255),
    ('Y', 0o55222),
    ('Z', 0o71247),
    ('-', 0o00700),
    ('.', 0o00002),
    ('%', 0o51245),
    ('+', 0o02720),
];

/// What stands for a letter that is not there.
const UNKNOWN: u16 = 0o75557;

/// The dots of a letter: column and row of each. Small letters are written as capitals.
pub(super) fn dots(letter: char) -> impl Iterator<Item = (usize, usize)> {
    let letter = letter.to_ascii_uppercase();
    let found = LETTERS.iter().find(|(own, _)| *own == letter);
    let bits = match (letter, found) {
        (' ', _) => 0,
        (_, Some((_, bits))) => *bits,
        (_, None) => UNKNOWN,
    };
    let n_dots = WIDTH * HEIGHT;
    (0..n_dots)
        .filter(move |dot| bits & (1 << (n_dots - 1 - dot)) != 0)
        .map(|dot| (dot % WIDTH, dot / WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_has_its_dots_in_rows_from_the_top() {
        let of_l = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4)];
        assert_eq!(dots('L').collect::<Vec<_>>(), of_l);
        assert_eq!(dots('l').count(), of_l.len());
        assert_eq!((dots(' ').count(), dots('é').count()), (0, 12));
    }
}
