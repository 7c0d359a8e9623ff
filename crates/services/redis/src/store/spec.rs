//! The declaration of a command: number of arguments, position of the keys, effect on them, and duration.

/// The properties of one command; `catalogue` lists them.
pub(super) struct Spec {
    /// Name in lower case.
    pub(super) name: &'static str,
    /// Number of arguments, including the name; if negative, the minimum.
    pub(super) arity: i8,
    pub(super) nature: Nature,
    pub(super) keys: Keys,
    /// The work that the command takes.
    pub(super) effort: Effort,
    /// `string`, `list` and so on: the group and the access category.
    pub(super) group: &'static str,
    pub(super) summary: &'static str,
}

/// Effect of a command on the keyspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Nature {
    Reads,
    /// Changes values, and never needs more memory.
    Writes,
    /// The command may need more memory, and is refused when there is none.
    Grows,
    /// The command accesses no key.
    Asks,
    /// Concerns the connection: MULTI never queues it; it is executed or refused at once.
    Connection,
    /// Like [`Nature::Connection`], but refused inside EXEC.
    Barred,
}

/// Position of a command's keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keys {
    None,
    /// Any key of the keyspace.
    All,
    /// The first argument is the key.
    One,
    /// The keys are from the first argument to `last` (negative: from the end), every `step`.
    Range {
        last: i8,
        step: u8,
    },
}

/// The quantity that the time of a command depends on, besides its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Nothing else: a few look-ups for each argument.
    Args,
    /// Adds or removes items by name or at the ends. Occasionally a table or a list is resized.
    Edits,
    /// All items under its keys.
    Items,
    /// The number of items that its second argument states.
    Count,
    /// The items between its second and third argument.
    Range,
    /// The items outside of that range.
    Outside,
    /// The length of a string and, for SETRANGE, the offset up to which the string may be extended.
    Text,
    /// A bounded number of slots, and of steps for matching.
    Scan,
    /// Every key, and all bytes of the keys for each 64 characters of the pattern.
    Match,
    /// Every key and value.
    Keyspace,
    /// The work of the queued commands.
    Exec,
}

impl Spec {
    #[inline]
    pub(super) fn fits(&self, count: usize) -> bool {
        let arity = usize::from(self.arity.unsigned_abs());
        if self.arity < 0 { count >= arity } else { count == arity }
    }

    /// Whether the command is executed at once even between MULTI and EXEC.
    pub(super) fn is_immediate(&self) -> bool {
        self.nature == Nature::Connection
    }

    pub(super) fn is_barred_from_transactions(&self) -> bool {
        self.nature == Nature::Barred
    }

    #[inline]
    pub(super) fn needs_memory(&self) -> bool {
        self.nature == Nature::Grows
    }

    /// The keys among a command's arguments.
    pub(super) fn keys_in<'k>(&self, args: &'k [&'k [u8]]) -> impl Iterator<Item = &'k [u8]> {
        let (last, step) = match self.keys {
            Keys::None | Keys::All => (0, 1),
            Keys::One => (1, 1),
            Keys::Range { last, step } if last < 0 => {
                (args.len().saturating_sub(usize::from(last.unsigned_abs())), usize::from(step))
            }
            Keys::Range { last, step } => (usize::from(last.unsigned_abs()), usize::from(step)),
        };
        args.iter().take(last + 1).skip(1).step_by(step).copied()
    }
}
