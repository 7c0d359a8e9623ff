//! Names of methods.

/// Names up to this many bytes are stored in place.
const SHORT: usize = 46;

/// Characters of a name that are shown.
const SHOWN: usize = 128;

/// The name of a method while its call is under way.
#[derive(Clone, Debug)]
pub(super) enum Name {
    Short(u8, [u8; SHORT]),
    Long(Box<[u8]>),
}

impl Name {
    #[inline]
    pub fn new(name: &[u8]) -> Name {
        if name.len() > SHORT {
            return Name::Long(name.into());
        }
        let mut short = [0; SHORT];
        short[..name.len()].copy_from_slice(name);
        Name::Short(name.len() as u8, short)
    }

    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Name::Short(length, name) => &name[..usize::from(*length)],
            Name::Long(name) => name,
        }
    }

    /// The name for a text that people read: bounded, printable.
    #[cold]
    pub fn shown(&self) -> String {
        let name = String::from_utf8_lossy(self.as_bytes());
        let mut shown: String = name.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if name.chars().count() > SHOWN {
            shown.push('…');
        }
        shown
    }
}

/// `add` of `Calculator:add`. Apache's servers answer by this name, and its clients read no other.
pub(super) fn without_service(name: &[u8]) -> &[u8] {
    name.iter().position(|&byte| byte == b':').map_or(name, |colon| &name[colon + 1..])
}

/// The number of a method: FNV-1a of its name as it is sent, `add` or `Calculator:add`.
pub const fn method_id(name: &str) -> u64 {
    id(name.as_bytes())
}

pub(super) const fn id(name: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}
