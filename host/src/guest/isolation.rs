//! Proves that an instance finds nothing of an earlier one, in every way that the engine may make instances.
//!
//! Each instance first looks at all that it has, memory, tables and globals, for anything but the state it
//! was compiled with; then it writes to random places of it and grows it.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use wasmtime::component::{Component, InstancePre};

use super::{
    Config, Engine, Pooling,
    engine::{Calls, Linked},
    output::{Owner, Printed},
    state::State,
};
use crate::function::{ComponentName, Limits};

const N_INSTANCES: u32 = 100_000;
const N_THREADS: u32 = 2;

/// `run` answers 0, or what it found: 1 a global, 2 the size or an element of a table, 3 the size of a
/// memory, 4 a byte of one.
const GUEST: &str = r#"(component
  (core module $guest
    (memory $m 3 64)
    (memory $n 0 8)
    (table $t 8 2000 funcref)
    (global $g (mut i64) (i64.const 7))
    (global $x (mut i32) (i32.const 0))
    (data (i32.const 70000) "the image of the module")
    (elem declare func $next)
    (func $next (result i32)
      ;; xorshift32
      (global.set $x (i32.xor (global.get $x) (i32.shl (global.get $x) (i32.const 13))))
      (global.set $x (i32.xor (global.get $x) (i32.shr_u (global.get $x) (i32.const 17))))
      (global.set $x (i32.xor (global.get $x) (i32.shl (global.get $x) (i32.const 5))))
      (global.get $x))
    ;; Whether every byte of memory from $from to $to is zero; both are multiples of eight.
    (func $zero (param $from i32) (param $to i32) (result i32)
      (local $bits i64)
      (block $end
        (loop $each
          (br_if $end (i32.ge_u (local.get $from) (local.get $to)))
          (local.set $bits (i64.or (local.get $bits) (i64.load $m (local.get $from))))
          (local.set $from (i32.add (local.get $from) (i32.const 8)))
          (br $each)))
      (i64.eqz (local.get $bits)))
    (func (export "run") (param $seed i32) (result i32)
      (local $i i32) (local $size i32)
      (global.set $x (i32.or (local.get $seed) (i32.const 1)))
      ;; Globals.
      (if (i64.ne (global.get $g) (i64.const 7)) (then (return (i32.const 1))))
      (global.set $g (i64.extend_i32_u (call $next)))
      ;; The table: as it was, then grown, then as new; written at random places.
      (if (i32.ne (table.size $t) (i32.const 8)) (then (return (i32.const 2))))
      (drop (table.grow $t (ref.null func) (i32.rem_u (call $next) (i32.const 1900))))
      (local.set $size (table.size $t))
      (local.set $i (i32.const 0))
      (loop $each
        (if (i32.eqz (ref.is_null (table.get $t (local.get $i)))) (then (return (i32.const 2))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $i) (local.get $size))))
      (local.set $i (i32.const 0))
      (loop $each
        (table.set $t (i32.rem_u (call $next) (local.get $size)) (ref.func $next))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $i) (i32.const 20))))
      ;; The memories: as they were, then grown.
      (if (i32.ne (memory.size $m) (i32.const 3)) (then (return (i32.const 3))))
      (if (i32.ne (memory.size $n) (i32.const 0)) (then (return (i32.const 3))))
      (drop (memory.grow $m (i32.rem_u (call $next) (i32.const 5))))
      (drop (memory.grow $n (i32.const 1)))
      (local.set $size (i32.shl (memory.size $m) (i32.const 16)))
      ;; All but the image, which begins at 70,000 and has 23 bytes.
      (if (i32.eqz (call $zero (i32.const 0) (i32.const 70000))) (then (return (i32.const 4))))
      (if (i64.ne (i64.load $m (i32.const 70000)) (i64.const 0x67616d6920656874))
        (then (return (i32.const 4))))
      (if (i32.eqz (call $zero (i32.const 70024) (local.get $size))) (then (return (i32.const 4))))
      (if (i64.ne (i64.load $n (i32.const 4096)) (i64.const 0)) (then (return (i32.const 4))))
      (i64.store $n (i32.const 4096) (i64.const -1))
      (local.set $i (i32.const 0))
      (loop $each
        (i64.store $m (i32.rem_u (call $next) (i32.sub (local.get $size) (i32.const 8))) (i64.const -1))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $i) (i32.rem_u (call $next) (i32.const 60)))))
      (i32.const 0)))
  (core instance $guest (instantiate $guest))
  (func (export "run") (param "seed" u32) (result u32) (canon lift (core func $guest "run"))))"#;

/// Makes instances on several threads, and says what the first one found that was none of its own.
#[track_caller]
fn check(config: &Config, pooling: &Pooling) {
    let engine = Engine::new(config).unwrap();
    assert_eq!(engine.pooling(), pooling);
    check_instances(engine.linked(Calls::Plain).unwrap(), N_INSTANCES);
    // The other engine makes its instances in the same way.
    check_instances(engine.linked(Calls::Concurrent).unwrap(), N_INSTANCES / 10);
}

#[track_caller]
fn check_instances(linked: &Linked, n_instances: u32) {
    let component = Component::new(&linked.engine, wat::parse_str(GUEST).unwrap()).unwrap();
    let guest = linked.linker.instantiate_pre(&component).unwrap();
    let next = Arc::new(AtomicU32::new(0));
    let threads: Vec<_> = (0..N_THREADS)
        .map(|_| {
            let (guest, next) = (guest.clone(), Arc::clone(&next));
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                loop {
                    let idx = next.fetch_add(1, Ordering::Relaxed);
                    if idx >= n_instances {
                        return;
                    }
                    let found = runtime.block_on(run(&guest, idx.wrapping_mul(2_654_435_761)));
                    assert_eq!(found, 0, "instance {idx}");
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

async fn run(guest: &InstancePre<State>, seed: u32) -> u32 {
    let limits = Limits::default();
    let name = Arc::new(ComponentName("isolation".to_owned()));
    let state = State::for_describe(&limits, Printed::new(Owner::Component(name), limits.log));
    let mut store = wasmtime::Store::new(guest.engine(), state);
    store.limiter(|state| &mut state.limiter);
    store.set_epoch_deadline(u64::from(u32::MAX));
    let instance = guest.instantiate_async(&mut store).await.unwrap();
    let run = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "run").unwrap();
    let found = run.call_async(&mut store, (seed,)).await.unwrap().0;
    if seed == 0 {
        // The guest does look: what it left itself, it finds.
        assert_eq!(run.call_async(&mut store, (seed,)).await.unwrap().0, 1);
    }
    found
}

#[test]
fn instances_from_a_pool_that_is_reset_by_a_scan_find_nothing_of_earlier_ones() {
    check(&Config::default(), &Pooling::Pool);
}

#[test]
fn instances_from_a_pool_that_is_reset_without_a_scan_find_nothing_of_earlier_ones() {
    check(&Config { pagemap_scan: false, ..Config::default() }, &Pooling::Pool);
}

#[test]
fn instances_without_a_pool_find_nothing_of_earlier_ones() {
    check(&Config { pooling: false, ..Config::default() }, &Pooling::Off);
}
