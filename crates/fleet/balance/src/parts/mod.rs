//! Parts that several policies use.

mod scale;
mod stuck;
mod turns;
mod walk;

pub(crate) use scale::Scale;
pub(crate) use stuck::is_stuck;
pub(crate) use turns::Turns;
pub(crate) use walk::{Fit, fit, take, usable, walk};
