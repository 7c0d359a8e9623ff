//! A command that is being executed.

use super::{
    blob::Blob,
    key::{Key, STRIPES},
    keyspace::Keyspace,
    now::Now,
    number::{float, number},
    session::Session,
    space::Space,
    stripe::{Data, Item, Stripe},
};
use crate::{Args, Writer};
use std::borrow::Cow;

/// The reply has been written, or the error is the reply.
pub(super) type Done = Result<(), Cow<'static, str>>;

pub(super) const WRONG_TYPE: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";
pub(super) const NOT_AN_INTEGER: &str = "ERR value is not an integer or out of range";
pub(super) const NOT_A_FLOAT: &str = "ERR value is not a valid float";
pub(super) const SYNTAX: &str = "ERR syntax error";
/// The reply that replaces one longer than `Options::max_reply`.
pub(super) const REPLY_TOO_LONG: &str = "ERR reply is longer than the limit";

/// The context of a command's handler.
pub(super) struct Call<'c, 'a, 'w> {
    pub(super) keyspace: &'a Keyspace,
    pub(super) now: &'c Now,
    /// The session of the connection; `None` inside EXEC.
    pub(super) session: Option<&'c mut Session>,
    pub(super) space: &'c mut Space<'a>,
    /// Name and arguments, as many as the command's arity requires.
    pub(super) args: &'c [&'c [u8]],
    pub(super) out: &'c mut Writer<'w>,
}

impl<'c> Call<'c, '_, '_> {
    /// Argument `index` as a key.
    #[inline]
    pub(super) fn key(&self, index: usize) -> Key<'c> {
        self.keyspace.key(self.args[index])
    }

    #[inline]
    pub(super) fn stripe(&mut self, key: Key<'_>) -> &mut Stripe {
        self.space.of(key)
    }

    /// The value of a key, read only.
    #[inline]
    pub(super) fn get(&mut self, key: Key<'_>) -> Option<&Item> {
        let now = self.now;
        self.space.of(key).get(key, now)
    }

    /// The slot of a key that is about to be changed.
    #[inline]
    pub(super) fn find(&mut self, key: Key<'_>) -> Option<u32> {
        let now = self.now;
        let stripe = self.space.of(key);
        stripe.sweep(now);
        stripe.find(key, now)
    }

    /// Replaces the value of a key.
    #[inline]
    pub(super) fn put(&mut self, key: Key<'_>, data: Data) {
        let now = self.now;
        let stripe = self.space.of(key);
        stripe.sweep(now);
        stripe.put(key, Item::new(data));
    }

    pub(super) fn integer_arg(&self, index: usize) -> Result<i64, Cow<'static, str>> {
        number(self.args[index]).ok_or(NOT_AN_INTEGER.into())
    }

    pub(super) fn float_arg(&self, index: usize) -> Result<f64, Cow<'static, str>> {
        float(self.args[index]).ok_or(NOT_A_FLOAT.into())
    }

    pub(super) fn is(&self, index: usize, word: &str) -> bool {
        self.args.get(index).is_some_and(|arg| arg.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Releases the locks, unless a transaction holds them: data that were read are processed without them.
    pub(super) fn release(&mut self) {
        if self.session.is_some() {
            *self.space = Space::Free;
        }
    }

    /// Writes items until the reply exceeds its limit.
    pub(super) fn items<'b>(&mut self, items: impl Iterator<Item = &'b Blob>) {
        write_items(self.out, items);
    }

    /// Visits all stripes in their order.
    pub(super) fn each(&mut self, mut visit: impl FnMut(&mut Stripe)) {
        for index in 0..STRIPES {
            self.space.visit(self.keyspace, index, &mut visit);
        }
    }

    pub(super) fn integer(&mut self, value: i64) -> Done {
        self.out.integer(value);
        Ok(())
    }

    pub(super) fn count(&mut self, value: usize) -> Done {
        self.integer(value as i64)
    }

    pub(super) fn ok(&mut self) -> Done {
        self.out.ok();
        Ok(())
    }
}

/// Writes items until the reply exceeds its limit.
pub(super) fn write_items<'b>(out: &mut Writer<'_>, items: impl IntoIterator<Item = &'b Blob>) {
    for item in items {
        item.write(out);
        if out.is_full() {
            return;
        }
    }
}

/// The arguments of a command as a slice; eight or fewer need no allocation.
pub(super) struct ArgList<'a> {
    few: [&'a [u8]; 8],
    count: usize,
    many: Vec<&'a [u8]>,
}

impl<'a> ArgList<'a> {
    #[inline]
    pub(super) fn read(args: &mut Args<'a>) -> Self {
        let mut list = ArgList { few: [&[]; 8], count: 0, many: Vec::new() };
        if args.len() > list.few.len() {
            list.many.extend(args);
            return list;
        }
        for arg in args {
            list.few[list.count] = arg;
            list.count += 1;
        }
        list
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[&'a [u8]] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}
