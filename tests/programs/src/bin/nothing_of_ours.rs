//! A component that exports nothing of ours.

fn main() {}
