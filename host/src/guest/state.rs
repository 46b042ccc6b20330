//! What a store holds: one field for each capability, and the limits.

use std::sync::Arc;

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{
    Deterministic, HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView,
    WasiView,
};

use super::{
    capability::{context::Context, log::Log, progress::Progress, settings::Settings},
    limits::Limiter,
    output::Printed,
};
use crate::function::{Limits, Storage};

/// What is random to a component that describes itself.
const SEED: [u8; 5] = *b"mcpfn";

pub(super) struct State {
    pub(super) table: ResourceTable,
    wasi: Wasi,
    pub(super) limiter: Limiter,
    pub(super) context: Context,
    pub(super) log: Log,
    pub(super) progress: Progress,
    pub(super) settings: Settings,
    /// None: the function has neither streams nor containers, or no invocation runs.
    pub(super) storage: Option<Arc<dyn Storage>>,
}

/// What stands behind the interfaces of WASI, made when the guest first calls one: most calls of most
/// guests never do, and it costs as much as a tenth of a call.
enum Wasi {
    /// What the guest prints goes to the log.
    ForCall(Printed),
    /// Time stands still and randomness repeats, so that a declaration is a function of the component's
    /// bytes alone.
    ForDescribe(Printed),
    Made(Box<WasiCtx>),
}

impl State {
    /// For one invocation, and for more of them where an instance is kept.
    pub(super) fn for_call(limits: &Limits, context: Context, printed: Printed) -> Self {
        Self::new(limits, Wasi::ForCall(printed.clone()), context, Log::new(printed))
    }

    /// For `describe`.
    pub(super) fn for_describe(limits: &Limits, printed: Printed) -> Self {
        let wasi = Wasi::ForDescribe(printed.clone());
        Self::new(limits, wasi, Context::for_describe(), Log::new(printed))
    }

    fn new(limits: &Limits, wasi: Wasi, context: Context, log: Log) -> Self {
        let mut table = ResourceTable::new();
        // What is open stands on something else at the most: a stream on its source, a pollable on its timer.
        table.set_max_capacity(limits.handles.saturating_mul(2));
        Self {
            table,
            wasi,
            limiter: Limiter::new(limits),
            context,
            log,
            progress: Progress::default(),
            settings: Settings,
            storage: None,
        }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: self.wasi.make(), table: &mut self.table }
    }
}

impl Wasi {
    fn make(&mut self) -> &mut WasiCtx {
        match self {
            Self::Made(_) => {}
            Self::ForCall(printed) => *self = Self::Made(Box::new(confined(printed).build())),
            Self::ForDescribe(printed) => {
                let mut wasi = confined(printed);
                wasi.wall_clock(Standstill)
                    .monotonic_clock(Standstill)
                    .secure_random(Deterministic::new(SEED.to_vec()))
                    .insecure_random(Deterministic::new(SEED.to_vec()))
                    .insecure_random_seed(0);
                *self = Self::Made(Box::new(wasi.build()));
            }
        }
        match self {
            Self::Made(wasi) => wasi,
            Self::ForCall(_) | Self::ForDescribe(_) => unreachable!("it was made above"),
        }
    }
}

/// No files, no network, no environment.
fn confined(printed: &Printed) -> WasiCtxBuilder {
    let mut wasi = WasiCtxBuilder::new();
    wasi.stdout(printed.stdout()).stderr(printed.stderr()).allow_tcp(false).allow_udp(false);
    wasi
}

/// A clock that shows one moment for ever.
struct Standstill;

impl HostWallClock for Standstill {
    fn resolution(&self) -> std::time::Duration {
        std::time::Duration::from_nanos(1)
    }

    fn now(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}

impl HostMonotonicClock for Standstill {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        0
    }
}
