//! The storage of values: cells with one writer each, histograms, and the samples of a window.

pub(crate) mod cells;
pub(crate) mod histogram;
pub(crate) mod history;
pub(crate) mod trend;
