//! What a store holds: one field for each capability, and the limits.

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{
    Deterministic, HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView,
    WasiView,
};

use super::{
    capability::{
        blobs::Blobs, context::Context, log::Log, progress::Progress, settings::Settings,
        streams::Streams,
    },
    limits::{Limiter, Limits},
    output::Printed,
};

pub(super) struct State {
    pub(super) table: ResourceTable,
    pub(super) wasi: WasiCtx,
    pub(super) limiter: Limiter,
    pub(super) context: Context,
    pub(super) log: Log,
    pub(super) progress: Progress,
    pub(super) settings: Settings,
    pub(super) blobs: Blobs,
    pub(super) streams: Streams,
}

impl State {
    /// For one invocation: what the guest prints goes to the log.
    pub(super) fn for_call(limits: Limits, context: Context, printed: &Printed) -> Self {
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdout(printed.stdout()).stderr(printed.stderr()).allow_tcp(false).allow_udp(false);
        Self::new(limits, wasi.build(), context, Log::new(printed.clone()))
    }

    /// For `describe`: time stands still and randomness repeats, so that a declaration is a function of
    /// the component's bytes alone.
    pub(super) fn for_describe(limits: Limits, printed: &Printed) -> Self {
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdout(printed.stdout())
            .stderr(printed.stderr())
            .allow_tcp(false)
            .allow_udp(false)
            .wall_clock(Standstill)
            .monotonic_clock(Standstill)
            .secure_random(Deterministic::new(vec![0x6d, 0x63, 0x70, 0x66, 0x6e]))
            .insecure_random(Deterministic::new(vec![0x6d, 0x63, 0x70, 0x66, 0x6e]))
            .insecure_random_seed(0);
        Self::new(limits, wasi.build(), Context::for_describe(), Log::new(printed.clone()))
    }

    fn new(limits: Limits, wasi: WasiCtx, context: Context, log: Log) -> Self {
        Self {
            table: ResourceTable::new(),
            wasi,
            limiter: Limiter::new(limits),
            context,
            log,
            progress: Progress,
            settings: Settings,
            blobs: Blobs,
            streams: Streams,
        }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
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
