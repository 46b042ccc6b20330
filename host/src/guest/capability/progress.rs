//! `progress`: no request carries a progress stream yet, so reports go nowhere and nothing is cancelled
//! in a way that the guest could see: a client that goes away ends the guest.

use crate::guest::bindings::mcpfn::function::progress::Host;

pub(in crate::guest) struct Progress;

impl Host for Progress {
    fn report(&mut self, _done: f64, _total: Option<f64>, _message: Option<String>) {}

    fn cancelled(&mut self) -> bool {
        false
    }
}
