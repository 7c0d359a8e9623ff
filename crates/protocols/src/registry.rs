//! Every protocol there is, in the order in which they are asked about first bytes.

use crate::baidu_std;
use polywire_wire::{Protocol, Registry};

/// All protocols of this crate. A program that wants fewer makes a [`Registry`] of its own.
pub const fn builtin() -> Registry {
    Registry::new(BUILTIN)
}

/// Surest first.
static BUILTIN: &[&Protocol] = &[&baidu_std::PROTOCOL];
