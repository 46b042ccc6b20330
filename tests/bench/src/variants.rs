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
    let renamed = replace(wasm, NAME.as_bytes(), name(number).as_bytes())?;
    replace(&renamed, VERSION.as_bytes(), version(number).as_bytes())
}

/// Another version of the component, with the tool of the same name.
pub fn with_version(wasm: &[u8], number: usize) -> Result<Vec<u8>> {
    replace(wasm, VERSION.as_bytes(), version(number).as_bytes())
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
        let wasm = b"..trivial_0000..version-00000000 ..trivial_0000".to_vec();
        let expected = b"..trivial_0042..version-00000042 ..trivial_0042";
        assert_eq!(copy(&wasm, 42).unwrap(), expected);
        assert_eq!(copy(&wasm, 0).unwrap(), wasm);
        assert!(with_version(b"no component", 1).is_err());
        assert!(replace(b"a", b"a", b"bb").is_err());
    }
}
