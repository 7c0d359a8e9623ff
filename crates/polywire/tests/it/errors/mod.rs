//! Failures, and how they are reported.

mod json;
mod survives;
