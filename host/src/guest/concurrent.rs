//! Which components need an engine that can run concurrent calls: those made of the asynchronous parts of the
//! component model, as WASI 0.3 has them.

use wasmparser::{CanonicalFunction, CanonicalOption, Parser, Payload};

/// Whether any part of a component is asynchronous. Of bytes that are no component: no.
pub(super) fn needs_concurrency(wasm: &[u8]) -> bool {
    Parser::new(0).parse_all(wasm).any(|payload| match payload {
        Ok(Payload::ComponentCanonicalSection(section)) => section
            .into_iter()
            .any(|function| function.is_ok_and(|function| is_concurrent(&function))),
        _ => false,
    })
}

fn is_concurrent(function: &CanonicalFunction) -> bool {
    match function {
        CanonicalFunction::Lift { options, .. } | CanonicalFunction::Lower { options, .. } => {
            options.iter().any(|option| {
                matches!(option, CanonicalOption::Async | CanonicalOption::Callback(_))
            })
        }
        CanonicalFunction::ResourceNew { .. }
        | CanonicalFunction::ResourceDrop { .. }
        | CanonicalFunction::ResourceRep { .. } => false,
        // Tasks, streams, futures, threads.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::needs_concurrency;

    #[track_caller]
    fn check(function: &str, expected: bool) {
        let component = format!(
            r#"(component
                (core module $m (func (export "f")) (func (export "g") (result i32) i32.const 0))
                (core instance $i (instantiate $m))
                {function})"#
        );
        assert_eq!(needs_concurrency(&wat::parse_str(component).unwrap()), expected, "{function}");
    }

    #[test]
    fn only_asynchronous_parts_need_it() {
        check(r#"(func (export "f") (canon lift (core func $i "f")))"#, false);
        check("(type $r (resource (rep i32))) (core func (canon resource.new $r))", false);
        check(r#"(func (export "f") async (canon lift (core func $i "f") async))"#, true);
        check("(core func (canon task.cancel))", true);
        check("(type $s (stream u8)) (core func (canon stream.new $s))", true);
        assert!(!needs_concurrency(b"not a component"));
    }
}
