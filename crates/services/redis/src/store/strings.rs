//! Commands for strings and numbers.

use super::{
    call::{Call, Done, NOT_A_FLOAT, NOT_AN_INTEGER, REPLY_TOO_LONG, SYNTAX, WRONG_TYPE},
    key::Key,
    keys::{deadline, ends_in},
    keyspace::OUT_OF_MEMORY,
    number::{float, range},
    stripe::{Data, Item},
    text::Text,
};
use std::borrow::Cow;

const TOO_LONG: &str = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
const OVERFLOW: &str = "ERR increment or decrement would overflow";

/// The string of an item.
#[inline]
fn text(item: &Item) -> Result<&Text, Cow<'static, str>> {
    match &item.data {
        Data::Text(text) => Ok(text),
        Data::List(_) | Data::Hash(_) | Data::Set(_) => Err(WRONG_TYPE.into()),
    }
}

/// Writes the string of a key, or null. Fails if there is no room for the string: a command that removes a
/// string must not do so without returning it.
#[inline]
fn write(call: &mut Call<'_, '_, '_>, key: Key<'_>) -> Done {
    let now = call.now;
    match call.space.of(key).get(key, now) {
        None => call.out.null(),
        Some(item) => {
            let text = text(item)?;
            if !call.out.has_room(text.len()) {
                return Err(REPLY_TOO_LONG.into());
            }
            text.write(call.out);
        }
    }
    Ok(())
}

pub(super) fn get(call: &mut Call<'_, '_, '_>) -> Done {
    write(call, call.key(1))
}

pub(super) fn getdel(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    write(call, key)?;
    let now = call.now;
    call.stripe(key).delete(key, now);
    Ok(())
}

pub(super) fn getset(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    write(call, key)?;
    let value = Text::new(call.args[2]);
    call.put(key, Data::Text(value));
    Ok(())
}

pub(super) fn strlen(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    let len = match call.get(key) {
        Some(item) => text(item)?.len(),
        None => 0,
    };
    call.count(len)
}

pub(super) fn mget(call: &mut Call<'_, '_, '_>) -> Done {
    call.out.array(call.args.len() - 1);
    for index in 1..call.args.len() {
        let key = call.key(index);
        match write(call, key) {
            Err(text) if text == WRONG_TYPE => call.out.null(),
            done => done?,
        }
    }
    Ok(())
}

/// The options of SET.
#[derive(Default)]
struct Conditions {
    /// Only if the key exists, or only if it does not.
    exists: Option<bool>,
    /// Whether to reply with the old value.
    get: bool,
    keep: bool,
    /// Expiry in Unix milliseconds; 0: none.
    ends: u64,
}

impl Conditions {
    fn parse(call: &Call<'_, '_, '_>) -> Result<Self, Cow<'static, str>> {
        let mut conditions = Conditions::default();
        let mut index = 3;
        while index < call.args.len() {
            let unset = conditions.ends == 0 && !conditions.keep;
            if call.is(index, "NX") && conditions.exists.is_none() {
                conditions.exists = Some(false);
            } else if call.is(index, "XX") && conditions.exists.is_none() {
                conditions.exists = Some(true);
            } else if call.is(index, "GET") {
                conditions.get = true;
            } else if call.is(index, "KEEPTTL") && unset {
                conditions.keep = true;
            } else if unset && let Some(ends) = ends_option(call, index, "set")? {
                conditions.ends = ends;
                index += 1;
            } else {
                return Err(SYNTAX.into());
            }
            index += 1;
        }
        Ok(conditions)
    }
}

/// Parses `EX seconds`, `PX milliseconds`, `EXAT` and `PXAT` at `index`; `None` if there is another option.
fn ends_option(
    call: &Call<'_, '_, '_>,
    index: usize,
    command: &str,
) -> Result<Option<u64>, Cow<'static, str>> {
    let (unit, absolute) = match () {
        () if call.is(index, "EX") => (1000, false),
        () if call.is(index, "PX") => (1, false),
        () if call.is(index, "EXAT") => (1000, true),
        () if call.is(index, "PXAT") => (1, true),
        () => return Ok(None),
    };
    if index + 1 >= call.args.len() {
        return Err(SYNTAX.into());
    }
    deadline(call, index + 1, unit, absolute, command).map(Some)
}

pub(super) fn set(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    if call.args.len() == 3 {
        let value = Text::new(call.args[2]);
        call.put(key, Data::Text(value));
        return call.ok();
    }
    let conditions = Conditions::parse(call)?;
    let found = call.find(key);
    if conditions.get {
        write(call, key)?;
    }
    if conditions.exists.is_some_and(|wanted| wanted != found.is_some()) {
        if !conditions.get {
            call.out.null();
        }
        return Ok(());
    }
    let data = Data::Text(Text::new(call.args[2]));
    let kept = match found {
        Some(slot) if conditions.keep => call.stripe(key).table().value(slot).ends,
        Some(_) | None => conditions.ends,
    };
    call.stripe(key).put(key, Item { data, ends: kept });
    if conditions.get { Ok(()) } else { call.ok() }
}

pub(super) fn setex(call: &mut Call<'_, '_, '_>) -> Done {
    set_with_end(call, 1000, "setex")
}

pub(super) fn psetex(call: &mut Call<'_, '_, '_>) -> Done {
    set_with_end(call, 1, "psetex")
}

fn set_with_end(call: &mut Call<'_, '_, '_>, unit: i64, command: &str) -> Done {
    let key = call.key(1);
    let ends = deadline(call, 2, unit, false, command)?;
    let data = Data::Text(Text::new(call.args[3]));
    call.stripe(key).put(key, Item { data, ends });
    call.ok()
}

pub(super) fn setnx(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    if call.find(key).is_some() {
        return call.integer(0);
    }
    let value = Text::new(call.args[2]);
    call.put(key, Data::Text(value));
    call.integer(1)
}

pub(super) fn getex(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    let ends = match call.args.len() {
        2 => None,
        3 if call.is(2, "PERSIST") => Some(0),
        4 => Some(ends_option(call, 2, "getex")?.ok_or(SYNTAX)?),
        _ => return Err(SYNTAX.into()),
    };
    let found = call.find(key);
    write(call, key)?;
    if let (Some(ends), Some(slot)) = (ends, found) {
        ends_in(call, key, slot, ends);
    }
    Ok(())
}

pub(super) fn mset(call: &mut Call<'_, '_, '_>) -> Done {
    set_pairs(call, "mset")?;
    call.ok()
}

pub(super) fn msetnx(call: &mut Call<'_, '_, '_>) -> Done {
    let exists = (1..call.args.len()).step_by(2).any(|index| {
        let key = call.key(index);
        call.find(key).is_some()
    });
    if call.args.len().is_multiple_of(2) {
        return Err(crate::wrong_arguments("msetnx").into());
    }
    if exists {
        return call.integer(0);
    }
    set_pairs(call, "msetnx")?;
    call.integer(1)
}

fn set_pairs(call: &mut Call<'_, '_, '_>, command: &str) -> Done {
    if call.args.len().is_multiple_of(2) {
        return Err(crate::wrong_arguments(command).into());
    }
    for index in (1..call.args.len()).step_by(2) {
        let value = Text::new(call.args[index + 1]);
        call.put(call.key(index), Data::Text(value));
    }
    Ok(())
}

pub(super) fn append(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, more) = (call.key(1), call.args[2]);
    let Some(slot) = call.find(key) else {
        call.put(key, Data::Text(Text::new(more)));
        return call.count(more.len());
    };
    if text(call.stripe(key).table().value(slot))?.len() + more.len() > call.keyspace.options.max_string {
        return Err(TOO_LONG.into());
    }
    let len = edit_text(call, key, slot, |bytes| {
        bytes.extend_from_slice(more);
        bytes.len()
    });
    call.count(len)
}

/// Changes the bytes of a slot that holds a string.
fn edit_text<R>(
    call: &mut Call<'_, '_, '_>,
    key: Key<'_>,
    slot: u32,
    change: impl FnOnce(&mut Vec<u8>) -> R,
) -> R {
    call.stripe(key).edit(key, slot, |item| {
        let Data::Text(text) = &mut item.data else { unreachable!("looked at by the caller") };
        let result = change(text.edit());
        text.settle();
        result
    })
}

pub(super) fn getrange(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, start, end) = (call.key(1), call.integer_arg(2)?, call.integer_arg(3)?);
    let now = call.now;
    match call.space.of(key).get(key, now) {
        Some(item) => {
            let text = text(item)?;
            let len = text.len();
            // Unlike in other commands, an end before the beginning means the first byte, unless the range is
            // reversed.
            let end = if end < 0 && !(start < 0 && start > end) { end.max(-(len as i64)) } else { end };
            let (start, end) = range(start, end, len);
            text.write_part(start..end, call.out);
        }
        None => call.out.bulk(b""),
    }
    Ok(())
}

pub(super) fn setrange(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, at, part) = (call.key(1), call.integer_arg(2)?, call.args[3]);
    let Ok(at) = usize::try_from(at) else { return Err("ERR offset is out of range".into()) };
    let found = call.find(key);
    let old = match found {
        Some(slot) => text(call.stripe(key).table().value(slot))?.len(),
        None => 0,
    };
    if part.is_empty() {
        return call.count(old);
    }
    if at.saturating_add(part.len()) > call.keyspace.options.max_string {
        return Err(TOO_LONG.into());
    }
    if !call.keyspace.has_memory((at + part.len()).saturating_sub(old)) {
        return Err(OUT_OF_MEMORY.into());
    }
    let slot = match found {
        Some(slot) => slot,
        None => {
            call.put(key, Data::Text(Text::new(b"")));
            call.find(key).expect("put above")
        }
    };
    let len = edit_text(call, key, slot, |bytes| {
        if bytes.len() < at + part.len() {
            bytes.resize(at + part.len(), 0);
        }
        bytes[at..at + part.len()].copy_from_slice(part);
        bytes.len()
    });
    call.count(len)
}

pub(super) fn incr(call: &mut Call<'_, '_, '_>) -> Done {
    add(call, 1)
}

pub(super) fn decr(call: &mut Call<'_, '_, '_>) -> Done {
    add(call, -1)
}

pub(super) fn incrby(call: &mut Call<'_, '_, '_>) -> Done {
    let by = call.integer_arg(2)?;
    add(call, by)
}

pub(super) fn decrby(call: &mut Call<'_, '_, '_>) -> Done {
    let by = call.integer_arg(2)?;
    match by.checked_neg() {
        Some(by) => add(call, by),
        None => Err("ERR decrement would overflow".into()),
    }
}

fn add(call: &mut Call<'_, '_, '_>, by: i64) -> Done {
    let key = call.key(1);
    let sum = match call.find(key) {
        None => {
            call.put(key, Data::Text(Text::Integer(by)));
            by
        }
        Some(slot) => {
            let stripe = call.stripe(key);
            let Text::Integer(old) = *text(stripe.table().value(slot))? else {
                return Err(NOT_AN_INTEGER.into());
            };
            let sum = old.checked_add(by).ok_or(OVERFLOW)?;
            stripe.edit(key, slot, |item| item.data = Data::Text(Text::Integer(sum)));
            sum
        }
    };
    call.integer(sum)
}

pub(super) fn incrbyfloat(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    let found = call.find(key);
    let old = match found {
        None => Some(0.0),
        Some(slot) => float(text(call.stripe(key).table().value(slot))?.show().as_bytes()),
    };
    let old = old.ok_or(NOT_A_FLOAT)?;
    let by = call.float_arg(2)?;
    let sum = finite_sum(old, by)?;
    let value = Text::new(sum.as_bytes());
    match found {
        Some(slot) => call.stripe(key).edit(key, slot, |item| item.data = Data::Text(value)),
        None => call.put(key, Data::Text(value)),
    }
    call.out.bulk(sum.as_bytes());
    Ok(())
}

/// The sum in the format of redis, without an exponent.
pub(super) fn finite_sum(a: f64, b: f64) -> Result<String, Cow<'static, str>> {
    let sum = a + b;
    if !sum.is_finite() {
        return Err("ERR increment would produce NaN or Infinity".into());
    }
    Ok(sum.to_string())
}
