//! Versions of the tool that is measured, made from its compiled component by replacing texts of equal length.

use anyhow::{Result, ensure};

/// The name of the tool in the component as it is built.
const NAME: &str = "trivial_0000";

/// The version in the component as it is built.
const VERSION: &str = "version-00000000 ";

/// The name of the tool of a copy.
pub fn name(number: usize) -> String {
    format!("trivial_{number:04}")
}

/// What the answers of a version begin with.
pub fn version(number: usize) -> String {
    format!("version-{number:08} ")
}

/// A copy of the component with a tool, and a data section, of its own.
pub fn copy(wasm: &[u8], number: usize) -> Result<Vec<u8>> {
    let name = name(number);
    let renamed = replace(wasm, NAME.as_bytes(), name.as_bytes())?;
    // The compiler compares the name in two pieces, the second of which is a constant of the code.
    let renamed = replace(&renamed, &last_piece(NAME), &last_piece(&name))?;
    replace(&renamed, VERSION.as_bytes(), version(number).as_bytes())
}

/// Another version of the component, with the tool of the same name.
pub fn with_version(wasm: &[u8], number: usize) -> Result<Vec<u8>> {
    replace(wasm, VERSION.as_bytes(), version(number).as_bytes())
}

/// The last four bytes of a name as the code has them: a little-endian number, as a signed LEB128.
fn last_piece(name: &str) -> [u8; 5] {
    let piece = name.as_bytes().last_chunk().copied().expect("names have twelve bytes");
    let mut number = u32::from_le_bytes(piece);
    // Four ASCII digits are always five groups of seven bits.
    [0x80, 0x80, 0x80, 0x80, 0].map(|more| {
        let group = number & 0x7f;
        number >>= 7;
        u8::try_from(group).expect("seven bits") | more
    })
}

/// A copy of a component where one text is another one of the same length.
pub fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Result<Vec<u8>> {
    ensure!(from.len() == to.len(), "another length would break the component");
    let mut replaced = bytes.to_vec();
    let (mut at, mut n_found) = (0, 0);
    while let Some(found) = replaced[at..].windows(from.len()).position(|window| window == from) {
        at += found;
        replaced[at..at + to.len()].copy_from_slice(to);
        at += to.len();
        n_found += 1;
    }
    ensure!(n_found > 0, "`{}` is not in the component", String::from_utf8_lossy(from));
    Ok(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_differs_in_name_and_version_and_in_nothing_else() {
        let code = b"\xb0\xe0\xc0\x81\x03";
        let wasm = [&b"..trivial_0000..version-00000000 "[..], code].concat();
        let code = b"\xb0\xe0\xd0\x91\x03";
        let expected = [&b"..trivial_0042..version-00000042 "[..], code].concat();
        assert_eq!(copy(&wasm, 42).unwrap(), expected);
        assert_eq!(copy(&wasm, 0).unwrap(), wasm);
        assert!(with_version(b"no component", 1).is_err());
        assert!(replace(b"a", b"a", b"bb").is_err());
    }
}
