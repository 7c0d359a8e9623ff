//! Calls: what a user says of one, its attempts, and its reply.

pub(crate) mod attempt;
pub(crate) mod deadline;
pub(crate) mod policy;
pub(crate) mod reply;
pub(crate) mod streaming;
pub(crate) mod unary;
