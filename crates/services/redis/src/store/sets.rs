//! Commands for sets.

use super::{
    call::{Call, Done, REPLY_TOO_LONG, SYNTAX, WRONG_TYPE, write_items},
    key::Key,
    keys::{ScanOptions, Step},
    lists::reply_bytes,
    number::number,
    stripe::{Data, Item, Members},
};
use crate::Writer;
use std::borrow::Cow;

fn members(item: &Item) -> Result<&Members, Cow<'static, str>> {
    match &item.data {
        Data::Set(members) => Ok(members),
        Data::Text(_) | Data::List(_) | Data::Hash(_) => Err(WRONG_TYPE.into()),
    }
}

/// Changes the set of a key, which is created if it is missing.
fn edit<R>(
    call: &mut Call<'_, '_, '_>,
    key: Key<'_>,
    change: impl FnOnce(&mut Members) -> R,
) -> Result<R, Cow<'static, str>> {
    let Some(slot) = call.find(key) else {
        let mut members = Box::<Members>::default();
        let result = change(&mut members);
        if members.table.len() > 0 {
            call.put(key, Data::Set(members));
        }
        return Ok(result);
    };
    members(call.stripe(key).table().value(slot))?;
    Ok(call.stripe(key).edit(key, slot, |item| match &mut item.data {
        Data::Set(members) => change(members),
        Data::Text(_) | Data::List(_) | Data::Hash(_) => unreachable!("looked at above"),
    }))
}

/// The set of a key, and the writer for the reply.
fn read<'s, 'w>(
    call: &'s mut Call<'_, '_, 'w>,
) -> Result<(Option<&'s Members>, &'s mut Writer<'w>), Cow<'static, str>> {
    let (key, now) = (call.keyspace.key(call.args[1]), call.now);
    let found = match call.space.of(key).get(key, now) {
        Some(item) => Some(members(item)?),
        None => None,
    };
    Ok((found, call.out))
}

pub(super) fn sadd(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, keyspace, names) = (call.key(1), call.keyspace, &call.args[2..]);
    let new = edit(call, key, |set| names.iter().filter(|name| set.put(keyspace.key(name), ())).count())?;
    call.count(new)
}

pub(super) fn srem(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, keyspace, names) = (call.key(1), call.keyspace, &call.args[2..]);
    let gone = edit(call, key, |set| names.iter().filter(|name| set.remove(keyspace.key(name))).count())?;
    call.count(gone)
}

pub(super) fn smembers(call: &mut Call<'_, '_, '_>) -> Done {
    let (set, out) = read(call)?;
    out.set(set.map_or(0, |set| set.table.len()));
    write_items(out, set.iter().flat_map(|set| set.table.iter()).map(|(member, ())| member));
    Ok(())
}

pub(super) fn sismember(call: &mut Call<'_, '_, '_>) -> Done {
    let member = call.key(2);
    let (set, out) = read(call)?;
    out.integer(set.is_some_and(|set| set.get(member).is_some()).into());
    Ok(())
}

pub(super) fn smismember(call: &mut Call<'_, '_, '_>) -> Done {
    let (keyspace, names) = (call.keyspace, &call.args[2..]);
    let (set, out) = read(call)?;
    out.array(names.len());
    for name in names {
        out.integer(set.is_some_and(|set| set.get(keyspace.key(name)).is_some()).into());
    }
    Ok(())
}

pub(super) fn scard(call: &mut Call<'_, '_, '_>) -> Done {
    let (set, out) = read(call)?;
    out.integer(set.map_or(0, |set| set.table.len() as i64));
    Ok(())
}

pub(super) fn spop(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, keyspace) = (call.key(1), call.keyspace);
    let count = match call.args.len() {
        2 => None,
        3 => {
            let count = number(call.args[2]).and_then(|count| usize::try_from(count).ok());
            Some(count.ok_or("ERR value is out of range, must be positive")?)
        }
        _ => return Err(SYNTAX.into()),
    };
    let room = call.out.room();
    let taken = edit(call, key, |set| {
        let count = count.unwrap_or(1).min(set.table.len());
        let mut take = || set.table.any(|| keyspace.random()).and_then(|slot| set.remove_slot(slot));
        let taken: Vec<_> = (0..count).filter_map(|_| take()).collect();
        if taken.iter().map(reply_bytes).fold(25, usize::saturating_add) > room {
            // Nothing is removed that cannot be returned.
            taken.iter().for_each(|member| _ = set.put(keyspace.key(member.as_bytes()), ()));
            return Err(REPLY_TOO_LONG);
        }
        Ok(taken)
    })??;
    match (count, taken.first()) {
        (None, Some(member)) => member.write(call.out),
        (None, None) => call.out.null(),
        (Some(_), _) => {
            call.out.set(taken.len());
            call.items(taken.iter());
        }
    }
    Ok(())
}

pub(super) fn sscan(call: &mut Call<'_, '_, '_>) -> Done {
    let options = ScanOptions::parse(call, 2, false)?;
    let mut step = Step::default();
    let (set, _) = read(call)?;
    let next = set
        .zip(options.cursor)
        .and_then(|(set, cursor)| set.table.scan(cursor, options.count, |member, ()| step.add(member, None)));
    step.write(call, &options, next)
}
