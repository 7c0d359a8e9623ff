//! Parts that several policies use.

mod scale;
mod stuck;
mod turns;
mod usable;
mod walk;

pub(crate) use scale::Scale;
pub(crate) use stuck::is_stuck;
pub(crate) use turns::Turns;
pub(crate) use usable::{Usable, usable};
pub(crate) use walk::{Fit, fit, take, walk};
