//! brpc's table of `/flags`, as text.

use crate::{
    audit::shown,
    set::{Flags, Registered},
};
use std::{fmt::Write, sync::Arc};

const HEAD: &str = "Name | Value | Description | Defined At\n---------------------------------------\n";

impl Flags {
    /// The flags that `names` chooses: names with `*` and `$` as wildcards, separated by `,` or `;`; all of
    /// them if it is empty. The work grows with the length of `names` times the number of flags.
    pub fn select(&self, names: &str) -> Vec<Arc<dyn Registered>> {
        let patterns: Vec<&str> =
            names.split([',', ';']).map(str::trim).filter(|name| !name.is_empty()).collect();
        let mut flags = self.all();
        flags.retain(|flag| {
            patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, flag.name()))
        });
        flags
    }

    /// brpc's table of the flags that `names` [chooses](Flags::select). `(R)` marks flags that can be
    /// changed; a value other than the default is followed by the default. The last column, which is a file
    /// in brpc, shows the accepted values. Values are cut at 256 characters, and control characters are
    /// escaped.
    pub fn table(&self, names: &str) -> String {
        let mut text = HEAD.to_owned();
        self.select(names).iter().for_each(|flag| put(&mut text, flag));
        text
    }
}

fn put(text: &mut String, flag: &Arc<dyn Registered>) {
    let (value, default) = (shown(&flag.value()), shown(&flag.default()));
    let mark = if flag.is_fixed() { "" } else { " (R)" };
    let _ = write!(text, "{}{mark} | {value}", flag.name());
    if value != default {
        let _ = write!(text, " (default:{default})");
    }
    let help = flag.help().replace(|c: char| c.is_control(), " ");
    let _ = writeln!(text, " | {help} | {}", shown(&flag.allowed()));
}

/// `*`: any characters; `$`: one. Steps grow with the product of both lengths, which are bounded.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b) if *b == b'$' || *b == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|b| *b == b'*')
}
