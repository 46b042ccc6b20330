//! Questions of a function to the client, and what comes back.
//!
//! A function is written once for both eras: it returns questions, and is invoked again with the answers. In the
//! modern era the questions are the result, and the client comes again (2026-07-28, basic/patterns/mrtr); in the
//! legacy one they are requests on the stream of the call, which waits.

mod answer;
mod pending;
mod question;
mod subject;

pub(super) use self::{
    answer::{Unanswered, read as read_answer},
    pending::{Broken, Pending, Round, read_responses},
    question::Request,
    subject::Subject,
};

/// How often one request may ask: a function that never has enough must not go on for ever.
pub(super) const MAX_ROUNDS: u32 = 100;
