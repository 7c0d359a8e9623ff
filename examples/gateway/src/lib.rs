//! The service behind the relay, which the relay itself knows nothing of.

#![forbid(unsafe_code)]

polywire::include!("hello");
