//! Commands for lists.

use super::{
    blob::Blob,
    call::{Call, Done, REPLY_TOO_LONG, SYNTAX, WRONG_TYPE, write_items},
    key::Key,
    number::{number, range},
    stripe::{Data, Item, List},
};
use std::{borrow::Cow, collections::VecDeque};

fn list(item: &Item) -> Result<&List, Cow<'static, str>> {
    match &item.data {
        Data::List(list) => Ok(list),
        Data::Text(_) | Data::Hash(_) | Data::Set(_) => Err(WRONG_TYPE.into()),
    }
}

/// Changes the list in a slot that [`list`] has checked.
fn edit<R>(call: &mut Call<'_, '_, '_>, key: Key<'_>, slot: u32, change: impl FnOnce(&mut List) -> R) -> R {
    call.stripe(key).edit(key, slot, |item| match &mut item.data {
        Data::List(list) => change(list),
        Data::Text(_) | Data::Hash(_) | Data::Set(_) => unreachable!("looked at by the caller"),
    })
}

/// The slot of a list that is about to be changed.
fn find(call: &mut Call<'_, '_, '_>, key: Key<'_>) -> Result<Option<u32>, Cow<'static, str>> {
    let Some(slot) = call.find(key) else { return Ok(None) };
    list(call.stripe(key).table().value(slot))?;
    Ok(Some(slot))
}

pub(super) fn lpush(call: &mut Call<'_, '_, '_>) -> Done {
    push(call, true, true)
}
pub(super) fn rpush(call: &mut Call<'_, '_, '_>) -> Done {
    push(call, false, true)
}
pub(super) fn lpushx(call: &mut Call<'_, '_, '_>) -> Done {
    push(call, true, false)
}
pub(super) fn rpushx(call: &mut Call<'_, '_, '_>) -> Done {
    push(call, false, false)
}

fn push(call: &mut Call<'_, '_, '_>, front: bool, create: bool) -> Done {
    let key = call.key(1);
    let items = &call.args[2..];
    let len = match find(call, key)? {
        Some(slot) => edit(call, key, slot, |list| {
            items.iter().for_each(|item| list.push(Blob::new(item), front));
            list.items.len()
        }),
        None if create => {
            let mut list = Box::<List>::default();
            items.iter().for_each(|item| list.push(Blob::new(item), front));
            let len = list.items.len();
            call.put(key, Data::List(list));
            len
        }
        None => 0,
    };
    call.count(len)
}

pub(super) fn lpop(call: &mut Call<'_, '_, '_>) -> Done {
    pop(call, true)
}
pub(super) fn rpop(call: &mut Call<'_, '_, '_>) -> Done {
    pop(call, false)
}

fn pop(call: &mut Call<'_, '_, '_>, front: bool) -> Done {
    let key = call.key(1);
    let count = match call.args.len() {
        2 => None,
        3 => {
            let count = number(call.args[2]).and_then(|count| usize::try_from(count).ok());
            Some(count.ok_or("ERR value is out of range, must be positive")?)
        }
        _ => {
            let name = if front { "lpop" } else { "rpop" };
            return Err(crate::wrong_arguments(name).into());
        }
    };
    let found = find(call, key)?;
    match (found, count) {
        (None, None) => call.out.null(),
        (None, Some(_)) => call.out.null_array(),
        (Some(slot), None) => {
            if let Some(item) = edit(call, key, slot, |list| list.pop(front)) {
                item.write(call.out);
            }
        }
        (Some(_), Some(0)) => call.out.array(0),
        (Some(slot), Some(count)) => {
            let items = &list(call.stripe(key).table().value(slot))?.items;
            let count = count.min(items.len());
            let taken = if front { items.range(..count) } else { items.range(items.len() - count..) };
            let bytes = taken.map(reply_bytes).fold(0usize, usize::saturating_add);
            if !call.out.has_room(bytes) {
                return Err(REPLY_TOO_LONG.into()); // nothing is removed that cannot be returned
            }
            let items: Vec<_> =
                edit(call, key, slot, |list| (0..count).filter_map(|_| list.pop(front)).collect());
            call.out.array(items.len());
            call.items(items.iter());
        }
    }
    Ok(())
}

/// Upper bound of an item's bytes in a reply.
pub(super) fn reply_bytes(item: &Blob) -> usize {
    item.as_bytes().len() + 25
}

pub(super) fn llen(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    let len = match call.get(key) {
        Some(item) => list(item)?.items.len(),
        None => 0,
    };
    call.count(len)
}

pub(super) fn lrange(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, start, end) = (call.key(1), call.integer_arg(2)?, call.integer_arg(3)?);
    let now = call.now;
    let Some(item) = call.space.of(key).get(key, now) else {
        call.out.array(0);
        return Ok(());
    };
    let items = &list(item)?.items;
    let (start, end) = range(start, end, items.len());
    call.out.array(end - start);
    write_items(call.out, items.range(start..end));
    Ok(())
}

/// The position of an index that counts from the back if negative.
fn place(index: i64, len: usize) -> Option<usize> {
    let index = if index < 0 { index.checked_add(len as i64)? } else { index };
    usize::try_from(index).ok().filter(|index| *index < len)
}

pub(super) fn lindex(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, now, index) = (call.key(1), call.now, call.integer_arg(2));
    let item = match call.space.of(key).get(key, now) {
        Some(item) => {
            let items = &list(item)?.items;
            place(index?, items.len()).map(|place| &items[place])
        }
        None => None,
    };
    match item {
        Some(item) => item.write(call.out),
        None => call.out.null(),
    }
    Ok(())
}

pub(super) fn lset(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, value) = (call.key(1), call.args[3]);
    let Some(slot) = find(call, key)? else { return Err("ERR no such key".into()) };
    let len = list(call.stripe(key).table().value(slot))?.items.len();
    let Some(place) = place(call.integer_arg(2)?, len) else { return Err("ERR index out of range".into()) };
    edit(call, key, slot, |list| list.replace(place, Blob::new(value)));
    call.ok()
}

pub(super) fn linsert(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, pivot, value) = (call.key(1), call.args[3], call.args[4]);
    let behind = match () {
        () if call.is(2, "BEFORE") => 0,
        () if call.is(2, "AFTER") => 1,
        () => return Err(SYNTAX.into()),
    };
    let Some(slot) = find(call, key)? else { return call.integer(0) };
    let items = &list(call.stripe(key).table().value(slot))?.items;
    let Some(place) = items.iter().position(|item| *item == *pivot) else { return call.integer(-1) };
    let len = edit(call, key, slot, |list| {
        list.insert(place + behind, Blob::new(value));
        list.items.len()
    });
    call.count(len)
}

pub(super) fn lrem(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, count, value) = (call.key(1), call.integer_arg(2)?, call.args[3]);
    let Some(slot) = find(call, key)? else { return call.integer(0) };
    let most = if count == 0 { usize::MAX } else { count.unsigned_abs() as usize };
    let removed = edit(call, key, slot, |list| {
        list.rework(|items| {
            let mut removed = 0;
            let mut goes = |item: &Blob| {
                let goes = removed < most && *item == *value;
                removed += usize::from(goes);
                goes
            };
            if count >= 0 {
                items.retain(|item| !goes(item));
            } else {
                // From the back to the front.
                let mut kept: VecDeque<_> = VecDeque::with_capacity(items.len());
                while let Some(item) = items.pop_back() {
                    if !goes(&item) {
                        kept.push_front(item);
                    }
                }
                *items = kept;
            }
            removed
        })
    });
    call.count(removed)
}

pub(super) fn ltrim(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, start, end) = (call.key(1), call.integer_arg(2)?, call.integer_arg(3)?);
    let Some(slot) = find(call, key)? else { return call.ok() };
    edit(call, key, slot, |list| {
        let (start, end) = range(start, end, list.items.len());
        list.keep(start, end);
    });
    call.ok()
}

pub(super) fn rpoplpush(call: &mut Call<'_, '_, '_>) -> Done {
    shift(call, false, true)
}

pub(super) fn lmove(call: &mut Call<'_, '_, '_>) -> Done {
    let end = |call: &Call<'_, '_, '_>, index| match () {
        () if call.is(index, "LEFT") => Ok(true),
        () if call.is(index, "RIGHT") => Ok(false),
        () => Err(SYNTAX),
    };
    let (from_front, to_front) = (end(call, 3)?, end(call, 4)?);
    shift(call, from_front, to_front)
}

/// Moves an item from one end of a list to one end of another, or of the same list.
fn shift(call: &mut Call<'_, '_, '_>, from_front: bool, to_front: bool) -> Done {
    let (from, to) = (call.key(1), call.key(2));
    if find(call, from)?.is_none() {
        call.out.null();
        return Ok(());
    }
    find(call, to)?;
    // Looking up the other key may have moved this one.
    let Some(source) = find(call, from)? else { return Ok(()) };
    let item = if from.bytes == to.bytes {
        edit(call, from, source, |list| {
            let item = list.pop(from_front)?;
            list.push(item.clone(), to_front);
            Some(item)
        })
    } else {
        edit(call, from, source, |list| list.pop(from_front))
    };
    let Some(item) = item else { return Ok(()) };
    item.write(call.out);
    match find(call, to)? {
        _ if from.bytes == to.bytes => {}
        Some(slot) => edit(call, to, slot, |list| list.push(item, to_front)),
        None => {
            let mut list = Box::<List>::default();
            list.push(item, to_front);
            call.put(to, Data::List(list));
        }
    }
    Ok(())
}
