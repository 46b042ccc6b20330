//! What holds for all that reads what a stranger wrote: no input makes it panic, or take much more memory than the input
//! itself takes.

use proptest::{
    collection::vec,
    prelude::any,
    sample::{Index, select},
    strategy::{Just, Strategy, Union},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

/// How many inputs each property is tried with.
const CASES: u32 = 10_000;

/// How often the size of the input a reader may take, and how much more.
const FACTOR: usize = 32;
const FIXED: usize = 16 << 10;

/// Tries a property with many inputs. They are the same each time: what fails once fails again.
pub(crate) fn check<S: Strategy>(inputs: &S, holds: impl Fn(S::Value)) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let tried = TestRunner::new_with_rng(config, random).run(inputs, |input| {
        holds(input);
        Ok(())
    });
    if let Err(failure) = tried {
        panic!("{failure}");
    }
}

/// Reads an input of so many bytes, and counts what that takes.
pub(crate) fn within<T>(n_bytes: usize, read: impl FnOnce() -> T) -> T {
    let mut result = None;
    let taken = allocation_counter::measure(|| result = Some(read()));
    let limit = n_bytes * FACTOR + FIXED;
    assert!(taken.bytes_max <= limit as u64, "{n_bytes} bytes took {}", taken.bytes_max);
    result.expect("it was read")
}

/// Any bytes.
pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..256)
}

/// One of some texts, changed in up to four places.
pub(crate) fn changed(texts: Vec<String>) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<Index>(), 0..12_usize, piece());
    (select(texts), vec(change, 0..4)).prop_map(|(text, changes)| {
        let mut bytes = text.into_bytes();
        for (place, n_gone, piece) in changes {
            let begin = place.index(bytes.len() + 1);
            let end = bytes.len().min(begin + n_gone);
            bytes.splice(begin..end, piece);
        }
        bytes
    })
}

/// The same, as text.
pub(crate) fn changed_text(texts: Vec<String>) -> impl Strategy<Value = String> {
    changed(texts).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// What a text is changed by: what means something in JSON, in base64 and in a header, and anything else.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    const TELLING: [&str; 24] = [
        "",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "null",
        "\"\"",
        "{}",
        "0",
        "-",
        "1e999",
        "\\u0000",
        "\\ud800",
        "\u{e9}",
        "\n",
        "=",
        "-1",
        "+5",
        "18446744073709551615",
        " ",
    ];
    let deep = (select(vec!["[", "{\"a\":"]), 1..300_usize).prop_map(|(text, n)| text.repeat(n));
    Union::new([
        select(TELLING.to_vec()).prop_map(|text| text.as_bytes().to_vec()).boxed(),
        vec(any::<u8>(), 0..6).boxed(),
        deep.prop_map(String::into_bytes).boxed(),
        Just(Vec::new()).boxed(),
    ])
}
