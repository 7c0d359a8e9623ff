//! The relays that a call has passed, so that one that goes round in a circle ends.
//!
//! The field says which they are, an id each. Whoever forges it fails with that call and no other: it can
//! only make the list longer, and a value that no relay writes is refused.
//!
//! A protocol without fields has a place for their number alone. The relay that gets a number knows none of
//! those before by its id, but where the list ends.

use crate::failure::{self, Reason};
use polywire_call::Status;
use polywire_client::Channel;
use polywire_server::Context;
use polywire_wire::RELAYS;
use std::{
    borrow::Cow,
    fmt::Write,
    hash::{BuildHasher, RandomState},
};

pub const FIELD: &str = "polywire-hops";
/// Relays that a call may pass.
const MOST: usize = 8;
/// Hexadecimal digits of an id.
const DIGITS: usize = 16;

/// An id that no relay has.
const UNKNOWN: &[u8] = &[b'0'; DIGITS];

/// The field that says which relays a call over this channel has passed, or how many.
pub fn field<'h, P>(channel: &Channel<P>, hops: &'h str) -> (&'static str, Cow<'h, str>) {
    match channel.counts_relays() {
        false => (FIELD, hops.into()),
        true => (RELAYS, hops.split(',').count().to_string().into()),
    }
}

/// A relay among all that a call may pass, by chance another number for each.
#[derive(Clone, Copy)]
pub struct Id(u64);

impl Id {
    pub fn new() -> Id {
        Id(RandomState::new().hash_one(std::process::id()).max(1)) // the keys of hash maps are random enough
    }

    /// The value of [`FIELD`] for the call below.
    ///
    /// # Errors
    /// The call has been here, or has passed too many relays.
    pub fn after(self, cx: &Context) -> Result<String, Status> {
        let numbered = match cx.metadata().get(RELAYS) {
            None => 0,
            Some([digit @ b'1'..=b'9']) => usize::from(digit - b'0'),
            Some(_) => return Err(refused("no number of relays: polywire-relays")),
        };
        self.after_all(numbered, cx.metadata().get_all(FIELD))
    }

    /// `numbered`: relays of which no id is known.
    fn after_all<'v>(
        self,
        numbered: usize,
        values: impl Iterator<Item = &'v [u8]>,
    ) -> Result<String, Status> {
        let mut passed = String::new();
        let ids = values.flat_map(|value| value.split(|byte| *byte == b',')).map(|id| id.trim_ascii());
        for (before, id) in std::iter::repeat_n(UNKNOWN, numbered).chain(ids).enumerate() {
            let id = id_of(id).ok_or_else(|| refused("no list of relays: polywire-hops"))?;
            if id == self.0 {
                return Err(refused(Reason::Loop.text()));
            }
            if before + 1 >= MOST {
                return Err(refused("the call has passed too many relays"));
            }
            let _ = write!(passed, "{id:0DIGITS$x},"); // writing to a string does not fail
        }
        let _ = write!(passed, "{:0DIGITS$x}", self.0);
        Ok(passed)
    }
}

/// The number of an id as a relay writes it.
fn id_of(text: &[u8]) -> Option<u64> {
    let is_plain = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() == DIGITS)?;
    text.as_bytes().iter().all(is_plain).then(|| u64::from_str_radix(text, 16).ok())?
}

#[cold]
fn refused(text: &'static str) -> Status {
    failure::own(Reason::Loop, Status::internal(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_grows_until_it_is_long_or_has_an_id_twice() {
        let mut list = Id(100).after_all(0, [].into_iter()).expect("the first");
        assert_eq!(list, "0000000000000064");
        for k in 1..MOST as u64 {
            list = Id(k).after_all(0, [list.as_bytes()].into_iter()).expect("not yet");
        }
        assert_eq!(list.len(), MOST * (DIGITS + 1) - 1);
        let after = |id, values: &[&[u8]]| Id(id).after_all(0, values.iter().copied());
        assert!(after(99, &[list.as_bytes()]).is_err_and(|status| status.message().contains("too many")));
        assert!(after(3, &[list.as_bytes()]).is_err_and(|status| status.message().contains("come back")));
        let (one, two) = (b"0000000000000001", b"0000000000000002");
        assert!(after(2, &[one, two]).is_err_and(|status| status.message().contains("come back")));
        assert_eq!(after(3, &[one, two]).expect("two").len(), 3 * (DIGITS + 1) - 1);
    }

    #[test]
    fn relays_that_are_a_number_alone_count_as_others_do() {
        let list = Id(1).after_all(2, [].into_iter()).expect("two before");
        assert_eq!(list, "0000000000000000,0000000000000000,0000000000000001");
        assert!(Id(1).after_all(MOST - 1, [].into_iter()).is_ok());
        assert!(Id(1).after_all(MOST, [].into_iter()).is_err());
    }

    #[test]
    fn what_no_relay_writes_is_refused() {
        let long = "0000000000000001,".repeat(1 << 16);
        for value in ["", ",", "1", "000000000000000g", "0000000000000001,", "+000000000000001", "ä", &long]
        {
            let status = Id(9).after_all(0, [value.as_bytes()].into_iter()).expect_err(value);
            assert!(status.message().len() < 80, "{status}");
        }
    }
}
