//! `logging/setLevel`: which lines of the log the client of a session wants. Before it asks, it gets none.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    peer,
    session::{Peer, level_number, level_of_number},
};
use crate::{
    function::LogLevel,
    protocol::{Context, Protocol, error::ProtocolError, listener::threshold, raw},
    state::Address,
};

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    level: Option<&'a RawValue>,
}

fn address(peer: &Peer) -> Address {
    Address::new("log level", &[&peer.id])
}

/// Takes note of the level. Without a session it counts for nothing that comes later.
pub(super) async fn set(
    protocol: &Protocol,
    context: &Context<'_>,
    params: &str,
) -> Result<(), ProtocolError> {
    let params: Option<Params<'_>> = raw::object(params);
    let level = params.and_then(|params| params.level).and_then(raw::string);
    let threshold = level.and_then(|name| threshold(&name)).ok_or(ProtocolError::Params(
        "`level` must be one of debug, info, notice, warning, error, critical, alert, emergency",
    ))?;
    if let Some(session) = context.session {
        session.set_log_level(threshold.level());
    } else if let Some(peer) = peer(protocol, context) {
        let letter = Bytes::from(vec![level_number(threshold.level())]);
        let posted = protocol.shared.mailbox.post(&address(&peer), letter).await;
        posted.map_err(|_| ProtocolError::Busy)?;
    }
    Ok(())
}

/// The level that the client of a request asked for.
pub(super) async fn get(
    protocol: &Protocol,
    context: &Context<'_>,
    peer: Option<&Peer>,
) -> Option<LogLevel> {
    if let Some(session) = context.session {
        return session.log_level();
    }
    let letter = protocol.shared.mailbox.latest(&address(peer?)).await?;
    level_of_number(*letter.content.first()?)
}
