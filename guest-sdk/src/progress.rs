//! How far a function is.

/// Tells the client how far the work is: `done` of `total`, with a word about it. A client that did not ask for progress
/// is told nothing. `done` grows with every report; one that does not is left out.
///
/// ```
/// use mcpfn_sdk::progress;
///
/// for page in 1..=3 {
///     // .. read it, then
///     progress::report(page, Some(3.0), Some("read a page"));
/// }
/// ```
pub fn report(done: impl Amount, total: Option<f64>, message: Option<&str>) {
    let done = done.into_f64();
    #[cfg(target_family = "wasm")]
    crate::wit::progress::report(done, total, message);
    #[cfg(not(target_family = "wasm"))]
    {
        use std::io::Write;

        // A test that cannot print has nothing better to do than to go on.
        let _ = writeln!(std::io::stderr(), "progress: {done} of {total:?} {message:?}");
    }
}

/// How much is done: any number.
pub trait Amount {
    /// The number as MCP carries it.
    fn into_f64(self) -> f64;
}

#[expect(
    clippy::cast_lossless,
    clippy::cast_precision_loss,
    reason = "it is shown, not counted with"
)]
mod amounts {
    use super::Amount;

    macro_rules! amounts {
        ($($number:ty),*) => {
            $(impl Amount for $number {
                fn into_f64(self) -> f64 {
                    self as f64
                }
            })*
        };
    }

    amounts!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
}
