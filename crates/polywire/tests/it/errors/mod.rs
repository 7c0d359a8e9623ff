//! Failures, and how they are reported.

mod json;
mod others;
mod survives;
