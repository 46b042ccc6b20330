//! The clock that interrupts guests: one thread for an engine, asleep while no guest runs.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

/// How long a guest computes, at most, between two chances to interrupt it.
pub(super) const TICK: Duration = Duration::from_millis(1);

/// After how many ticks without a guest the clock stops: starting it costs a call a few microseconds.
const IDLE_TICKS: u32 = 200;

/// The clock of one engine.
#[derive(Debug)]
pub(super) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<thread::JoinHandle<()>>,
}

/// Keeps the clock going while a guest runs.
#[derive(Debug)]
pub(super) struct Running<'a>(&'a Ticker);

#[derive(Debug, Default)]
struct Shared {
    n_running: AtomicUsize,
    stopped: AtomicBool,
    over: AtomicBool,
}

impl Ticker {
    /// Starts a clock that calls `tick`.
    pub(super) fn start(tick: impl Fn() + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = thread::Builder::new().name("epoch".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || shared.run(tick)
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// A guest begins to run.
    pub(super) fn running(&self) -> Running<'_> {
        self.shared.n_running.fetch_add(1, SeqCst);
        // The clock looks at the number once more after it said that it stops, so one of us sees the other.
        if self.shared.stopped.load(SeqCst) {
            self.wake();
        }
        Running(self)
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.shared.n_running.fetch_sub(1, SeqCst);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.over.store(true, SeqCst);
        self.wake();
        if let Some(thread) = self.thread.take() {
            // It ends within one tick; a panic in it has nothing to tell anyone.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(&self, tick: impl Fn()) {
        let mut n_idle = 0;
        while !self.over.load(SeqCst) {
            thread::sleep(TICK);
            tick();
            n_idle = if self.n_running.load(SeqCst) == 0 { n_idle + 1 } else { 0 };
            if n_idle >= IDLE_TICKS {
                self.stopped.store(true, SeqCst);
                // A wake-up that comes before is not lost: the next `park` returns at once.
                while self.n_running.load(SeqCst) == 0 && !self.over.load(SeqCst) {
                    thread::park();
                }
                self.stopped.store(false, SeqCst);
                n_idle = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_clock_stops_without_guests_and_goes_on_with_the_next_one() {
        let (sender, ticks) = mpsc::channel();
        let ticker = Ticker::start(move || sender.send(()).unwrap()).unwrap();
        let second = Duration::from_secs(1);
        let stopped = || std::iter::from_fn(|| ticks.recv_timeout(second).ok()).count();
        // The tick that was under way may count.
        assert!(stopped() + 1 >= IDLE_TICKS as usize);
        let running = ticker.running();
        for _ in 0..2 * IDLE_TICKS {
            ticks.recv_timeout(second).unwrap();
        }
        drop(running);
        // The tick that was under way may count.
        assert!(stopped() + 1 >= IDLE_TICKS as usize);
    }
}
