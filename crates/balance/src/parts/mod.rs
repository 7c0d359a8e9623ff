//! Parts that several policies use.

mod scale;
mod turns;
mod walk;

pub(crate) use scale::Scale;
pub(crate) use turns::Turns;
pub(crate) use walk::{Fit, fit, take, walk};
