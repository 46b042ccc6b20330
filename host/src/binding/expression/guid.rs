//! `{rand-guid}`: a random GUID in the forms of .NET.

/// How a GUID is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::binding) enum GuidFormat {
    /// 32 digits.
    Digits,
    /// With hyphens.
    Hyphens,
    /// With hyphens, in braces.
    Braces,
    /// With hyphens, in parentheses.
    Parentheses,
    /// As a structure of C.
    Structure,
}

impl GuidFormat {
    /// What a template may say, for messages.
    pub(super) const EXPECTED: &'static str = "expected `:N`, `:D`, `:B`, `:P` or `:X`";

    /// Reads a letter of .NET, in any case.
    pub(super) fn parse(letter: &str) -> Option<Self> {
        match letter.to_ascii_uppercase().as_str() {
            "N" => Some(Self::Digits),
            "D" => Some(Self::Hyphens),
            "B" => Some(Self::Braces),
            "P" => Some(Self::Parentheses),
            "X" => Some(Self::Structure),
            _ => None,
        }
    }

    /// A new GUID.
    pub(super) fn random(self) -> String {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the operating system gives randomness");
        self.write(bytes)
    }

    /// A random GUID of these bytes: version 4, variant 1 (RFC 9562, 5.4).
    pub(super) fn write(self, bytes: [u8; 16]) -> String {
        let bits = u128::from_be_bytes(bytes);
        let bits = bits & !(0xf << 76) | 4 << 76;
        let bits = bits & !(0b11 << 62) | 0b10 << 62;
        let digits = format!("{bits:032x}");
        let groups =
            [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        let hyphens = groups.join("-");
        match self {
            Self::Digits => digits,
            Self::Hyphens => hyphens,
            Self::Braces => format!("{{{hyphens}}}"),
            Self::Parentheses => format!("({hyphens})"),
            Self::Structure => {
                let bytes: Vec<String> =
                    (16..32).step_by(2).map(|at| format!("0x{}", &digits[at..at + 2])).collect();
                format!(
                    "{{0x{},0x{},0x{},{{{}}}}}",
                    groups[0],
                    groups[1],
                    groups[2],
                    bytes.join(",")
                )
            }
        }
    }
}
