//! The everyday commands as methods, one file for each family. Other commands are sent by
//! [`Client::call`](super::Client::call), or declared with [`commands!`](crate::commands).

mod hashes;
mod keys;
mod lists;
mod options;
mod publishing;
mod scripts;
mod sets;
mod sorted_sets;
mod streams;
mod strings;

pub use options::{Expiry, SetOptions, When};
pub use scripts::Script;
