//! An audit of changes to flags.

use std::{collections::VecDeque, time::SystemTime};

/// Changes that are kept; the oldest go first.
pub const KEPT: usize = 1000;
/// Characters that are kept of who made a change, and from where.
const SHOWN: usize = 256;

/// The user who changes a flag, and the place where the change comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub who: String,
    pub from: String,
}

impl Origin {
    /// `who`: the identity as far as it is known. `from`: an address, a file, `environment`. Both are cut at
    /// 256 characters, and control characters and those that change the direction of text are written as
    /// `\u{..}`, since peers choose them.
    pub fn new(who: &str, from: &str) -> Origin {
        Origin { who: shown(who), from: shown(from) }
    }
}

/// A text that peers may have chosen, made safe for a line of a log or of a page.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(SHOWN) {
        match c {
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(c.escape_unicode());
            }
            c if c.is_control() => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// One change of one flag.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change {
    pub at: SystemTime,
    pub name: String,
    pub old: String,
    pub new: String,
    pub origin: Origin,
    /// When the change is undone automatically.
    pub until: Option<SystemTime>,
}

/// The last [`KEPT`] changes.
#[derive(Default)]
pub(crate) struct Audit {
    changes: VecDeque<Change>,
}

impl Audit {
    pub fn add(&mut self, change: Change) {
        if self.changes.len() == KEPT {
            self.changes.pop_front();
        }
        self.changes.push_back(change);
    }

    pub fn changes(&self) -> Vec<Change> {
        self.changes.iter().cloned().collect()
    }

    /// The last change of this flag.
    pub fn last(&self, name: &str) -> Option<Change> {
        self.changes.iter().rev().find(|change| change.name == name).cloned()
    }
}
