fn plain() {}

mod inner {
    pub struct Other;
}

mcpfn_sdk::functions![plain, inner::Other];

fn main() {}
