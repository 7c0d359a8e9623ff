//! Hashes: fields and values under one key.

use super::{
    blob::Blob,
    call::{Call, Done, WRONG_TYPE, write_items},
    key::Key,
    keys::{ScanOptions, Step},
    number::{float, number},
    strings::finite_sum,
    stripe::{Data, Fields, Item},
};
use crate::Writer;
use std::borrow::Cow;

fn fields(item: &Item) -> Result<&Fields, Cow<'static, str>> {
    match &item.data {
        Data::Hash(fields) => Ok(fields),
        Data::Text(_) | Data::List(_) | Data::Set(_) => Err(WRONG_TYPE.into()),
    }
}

/// Changes the hash of a key, which is created if it is missing.
fn edit<R>(
    call: &mut Call<'_, '_, '_>,
    key: Key<'_>,
    change: impl FnOnce(&mut Fields) -> R,
) -> Result<R, Cow<'static, str>> {
    let Some(slot) = call.find(key) else {
        let mut fields = Box::<Fields>::default();
        let result = change(&mut fields);
        if fields.table.len() > 0 {
            call.put(key, Data::Hash(fields));
        }
        return Ok(result);
    };
    fields(call.stripe(key).table().value(slot))?;
    Ok(call.stripe(key).edit(key, slot, |item| match &mut item.data {
        Data::Hash(fields) => change(fields),
        Data::Text(_) | Data::List(_) | Data::Set(_) => unreachable!("looked at above"),
    }))
}

/// The hash of a key, and the writer for the reply.
fn read<'s, 'w>(
    call: &'s mut Call<'_, '_, 'w>,
) -> Result<(Option<&'s Fields>, &'s mut Writer<'w>), Cow<'static, str>> {
    let (key, now) = (call.keyspace.key(call.args[1]), call.now);
    let found = match call.space.of(key).get(key, now) {
        Some(item) => Some(fields(item)?),
        None => None,
    };
    Ok((found, call.out))
}

pub(super) fn hset(call: &mut Call<'_, '_, '_>) -> Done {
    let new = set_pairs(call, "hset")?;
    call.count(new)
}

pub(super) fn hmset(call: &mut Call<'_, '_, '_>) -> Done {
    set_pairs(call, "hmset")?;
    call.ok()
}

/// Sets fields. Returns how many are new.
fn set_pairs(call: &mut Call<'_, '_, '_>, command: &str) -> Result<usize, Cow<'static, str>> {
    let (key, keyspace, args) = (call.key(1), call.keyspace, call.args);
    if !args.len().is_multiple_of(2) {
        return Err(crate::wrong_arguments(command).into());
    }
    edit(call, key, |fields| {
        let mut put = |pair: &[&[u8]]| fields.put(keyspace.key(pair[0]), Blob::new(pair[1]));
        args[2..].chunks_exact(2).map(&mut put).filter(|new| *new).count()
    })
}

pub(super) fn hsetnx(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, field, value) = (call.key(1), call.key(2), call.args[3]);
    let new = edit(call, key, |fields| fields.get(field).is_none() && fields.put(field, Blob::new(value)))?;
    call.integer(i64::from(new))
}

pub(super) fn hdel(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, keyspace, names) = (call.key(1), call.keyspace, &call.args[2..]);
    let gone =
        edit(call, key, |fields| names.iter().filter(|name| fields.remove(keyspace.key(name))).count())?;
    call.count(gone)
}

pub(super) fn hget(call: &mut Call<'_, '_, '_>) -> Done {
    let field = call.key(2);
    let (fields, out) = read(call)?;
    match fields.and_then(|fields| fields.get(field)) {
        Some(value) => value.write(out),
        None => out.null(),
    }
    Ok(())
}

pub(super) fn hmget(call: &mut Call<'_, '_, '_>) -> Done {
    let (keyspace, names) = (call.keyspace, &call.args[2..]);
    let (fields, out) = read(call)?;
    out.array(names.len());
    for name in names {
        match fields.and_then(|fields| fields.get(keyspace.key(name))) {
            Some(value) => value.write(out),
            None => out.null(),
        }
    }
    Ok(())
}

pub(super) fn hexists(call: &mut Call<'_, '_, '_>) -> Done {
    let field = call.key(2);
    let (fields, out) = read(call)?;
    out.integer(fields.is_some_and(|fields| fields.get(field).is_some()).into());
    Ok(())
}

pub(super) fn hlen(call: &mut Call<'_, '_, '_>) -> Done {
    let (fields, out) = read(call)?;
    out.integer(fields.map_or(0, |fields| fields.table.len() as i64));
    Ok(())
}

pub(super) fn hstrlen(call: &mut Call<'_, '_, '_>) -> Done {
    let field = call.key(2);
    let (fields, out) = read(call)?;
    let value = fields.and_then(|fields| fields.get(field));
    out.integer(value.map_or(0, |value| value.as_bytes().len() as i64));
    Ok(())
}

pub(super) fn hgetall(call: &mut Call<'_, '_, '_>) -> Done {
    let (fields, out) = read(call)?;
    out.map(fields.map_or(0, |fields| fields.table.len()));
    let all = fields.iter().flat_map(|fields| fields.table.iter());
    write_items(out, all.flat_map(|(field, value)| [field, value]));
    Ok(())
}

pub(super) fn hkeys(call: &mut Call<'_, '_, '_>) -> Done {
    list(call, |field, _| field)
}

pub(super) fn hvals(call: &mut Call<'_, '_, '_>) -> Done {
    list(call, |_, value| value)
}

fn list(call: &mut Call<'_, '_, '_>, pick: impl for<'b> Fn(&'b Blob, &'b Blob) -> &'b Blob) -> Done {
    let (fields, out) = read(call)?;
    out.array(fields.map_or(0, |fields| fields.table.len()));
    let all = fields.iter().flat_map(|fields| fields.table.iter());
    write_items(out, all.map(|(field, value)| pick(field, value)));
    Ok(())
}

pub(super) fn hincrby(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, field, by) = (call.key(1), call.key(2), call.integer_arg(3)?);
    let sum = edit(call, key, |fields| {
        let old = match fields.get(field) {
            Some(value) => number(value.as_bytes()).ok_or("ERR hash value is not an integer")?,
            None => 0,
        };
        let sum = old.checked_add(by).ok_or("ERR increment or decrement would overflow")?;
        fields.put(field, Blob::new(itoa::Buffer::new().format(sum).as_bytes()));
        Ok::<_, &'static str>(sum)
    })??;
    call.integer(sum)
}

pub(super) fn hincrbyfloat(call: &mut Call<'_, '_, '_>) -> Done {
    let (key, field, by) = (call.key(1), call.key(2), call.float_arg(3)?);
    let sum = edit(call, key, |fields| {
        let old = match fields.get(field) {
            Some(value) => float(value.as_bytes()).ok_or("ERR hash value is not a float")?,
            None => 0.0,
        };
        let sum = finite_sum(old, by)?;
        fields.put(field, Blob::new(sum.as_bytes()));
        Ok::<_, Cow<'static, str>>(sum)
    })??;
    call.out.bulk(sum.as_bytes());
    Ok(())
}

pub(super) fn hscan(call: &mut Call<'_, '_, '_>) -> Done {
    let options = ScanOptions::parse(call, 2, false)?;
    let mut step = Step::default();
    let (fields, _) = read(call)?;
    let next = fields.zip(options.cursor).and_then(|(fields, cursor)| {
        fields.table.scan(cursor, options.count, |field, value| step.add(field, Some(value)))
    });
    step.write(call, &options, next)
}
