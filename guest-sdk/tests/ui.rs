//! What does not compile, and what the compiler says about it: one file in `ui/` per mistake.

#[test]
fn mistakes_are_errors_at_the_token() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
