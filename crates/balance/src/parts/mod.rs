//! Parts that several policies use.

mod scale;
mod turns;
mod usable;
mod walk;

pub(crate) use scale::Scale;
pub(crate) use turns::Turns;
pub(crate) use usable::{Usable, usable};
pub(crate) use walk::{Fit, fit, take, walk};
