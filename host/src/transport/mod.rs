//! What carries messages: bytes in, bytes out. Nothing here knows what a message says.

mod dialog;
pub mod http;
pub mod stdio;

pub use self::dialog::Config as DialogConfig;

/// The longest message that is taken, unless configured otherwise: 4 MiB.
pub const MESSAGE_LIMIT: usize = 4 << 20;
