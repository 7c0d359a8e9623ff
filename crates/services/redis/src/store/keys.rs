//! Commands for keys of any type.

use super::{
    blob::Blob,
    call::{Call, Done, NOT_AN_INTEGER, REPLY_TOO_LONG, SYNTAX},
    glob::{Pattern, Steps},
    key::{Key, STRIPES},
    lists::reply_bytes,
    number::number,
    stripe::Stripe,
    table::Cursor,
};
use crate::cut_text;
use std::borrow::Cow;

pub(super) fn del(call: &mut Call<'_, '_, '_>) -> Done {
    let now = call.now;
    let gone = (1..call.args.len()).filter(|&index| {
        let key = call.key(index);
        let stripe = call.space.of(key);
        stripe.sweep(now);
        stripe.delete(key, now)
    });
    let gone = gone.count();
    call.count(gone)
}

pub(super) fn exists(call: &mut Call<'_, '_, '_>) -> Done {
    let there = (1..call.args.len()).filter(|&index| {
        let (key, now) = (call.key(index), call.now);
        call.space.of(key).find(key, now).is_some()
    });
    let there = there.count();
    call.count(there)
}

pub(super) fn kind(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    let kind = call.get(key).map_or("none", |item| item.data.kind());
    call.out.simple(kind);
    Ok(())
}

/// Reads an expiry from an argument in units of `unit` milliseconds, relative to now or as Unix time.
///
/// # Errors
/// The argument is not an integer, or the expiry is not positive or exceeds 64 bits.
pub(super) fn deadline(
    call: &Call<'_, '_, '_>,
    index: usize,
    unit: i64,
    absolute: bool,
    command: &str,
) -> Result<u64, Cow<'static, str>> {
    let value = call.integer_arg(index)?;
    let begin = if absolute { 0 } else { call.now.unix_ms() as i64 };
    let ends = value.checked_mul(unit).and_then(|span| span.checked_add(begin));
    match ends {
        Some(ends) if value > 0 && ends > 0 => Ok(ends as u64),
        _ => Err(format!("ERR invalid expire time in '{command}' command").into()),
    }
}

/// Sets the expiry of a key that is in `slot`; 0: none.
pub(super) fn ends_in(call: &mut Call<'_, '_, '_>, key: Key<'_>, slot: u32, ends: u64) {
    call.stripe(key).edit(key, slot, |item| item.ends = ends);
}

pub(super) fn expire(call: &mut Call<'_, '_, '_>) -> Done {
    set_end(call, 1000, false, "expire")
}
pub(super) fn pexpire(call: &mut Call<'_, '_, '_>) -> Done {
    set_end(call, 1, false, "pexpire")
}
pub(super) fn expireat(call: &mut Call<'_, '_, '_>) -> Done {
    set_end(call, 1000, true, "expireat")
}
pub(super) fn pexpireat(call: &mut Call<'_, '_, '_>) -> Done {
    set_end(call, 1, true, "pexpireat")
}

/// Sets an expiry. One that has passed deletes the key.
fn set_end(call: &mut Call<'_, '_, '_>, unit: i64, absolute: bool, command: &str) -> Done {
    let value = call.integer_arg(2)?;
    let begin = if absolute { 0 } else { call.now.unix_ms() as i64 };
    let Some(ends) = value.checked_mul(unit).and_then(|span| span.checked_add(begin)) else {
        return Err(format!("ERR invalid expire time in '{command}' command").into());
    };
    let (mut nx, mut xx, mut gt, mut lt) = (false, false, false, false);
    for index in 3..call.args.len() {
        match () {
            () if call.is(index, "NX") => nx = true,
            () if call.is(index, "XX") => xx = true,
            () if call.is(index, "GT") => gt = true,
            () if call.is(index, "LT") => lt = true,
            () => {
                let option = cut_text(call.args[index], 128);
                return Err(format!("ERR Unsupported option {option}").into());
            }
        }
    }
    if nx && (xx || gt || lt) {
        return Err("ERR NX and XX, GT or LT options at the same time are not compatible".into());
    }
    if gt && lt {
        return Err("ERR GT and LT options at the same time are not compatible".into());
    }
    let key = call.key(1);
    let Some(slot) = call.find(key) else { return call.integer(0) };
    let old = call.stripe(key).table().value(slot).ends;
    // A key without expiry counts as expiring in the far future.
    let old_or_never = if old == 0 { i64::MAX } else { old as i64 };
    let refused =
        (nx && old != 0) || (xx && old == 0) || (gt && ends <= old_or_never) || (lt && ends >= old_or_never);
    if refused {
        return call.integer(0);
    }
    let now = call.now;
    if ends <= now.unix_ms() as i64 {
        call.stripe(key).delete(key, now);
    } else {
        ends_in(call, key, slot, ends as u64);
    }
    call.integer(1)
}

pub(super) fn persist(call: &mut Call<'_, '_, '_>) -> Done {
    let key = call.key(1);
    let Some(slot) = call.find(key) else { return call.integer(0) };
    if call.stripe(key).table().value(slot).ends == 0 {
        return call.integer(0);
    }
    ends_in(call, key, slot, 0);
    call.integer(1)
}

pub(super) fn ttl(call: &mut Call<'_, '_, '_>) -> Done {
    tell_end(call, |ends, now| (ends - now + 500) / 1000)
}
pub(super) fn pttl(call: &mut Call<'_, '_, '_>) -> Done {
    tell_end(call, |ends, now| ends - now)
}
pub(super) fn expiretime(call: &mut Call<'_, '_, '_>) -> Done {
    tell_end(call, |ends, _| (ends + 500) / 1000)
}
pub(super) fn pexpiretime(call: &mut Call<'_, '_, '_>) -> Done {
    tell_end(call, |ends, _| ends)
}

/// Replies with an expiry; -2: no such key; -1: it has none.
fn tell_end(call: &mut Call<'_, '_, '_>, told: impl FnOnce(u64, u64) -> u64) -> Done {
    let (key, now) = (call.key(1), call.now);
    let value = match call.get(key).map(|item| item.ends) {
        None => -2,
        Some(0) => -1,
        Some(ends) => told(ends, now.unix_ms()) as i64,
    };
    call.integer(value)
}

pub(super) fn rename(call: &mut Call<'_, '_, '_>) -> Done {
    rename_to(call, true)?;
    call.ok()
}

pub(super) fn renamenx(call: &mut Call<'_, '_, '_>) -> Done {
    let done = rename_to(call, false)?;
    call.integer(i64::from(done))
}

fn rename_to(call: &mut Call<'_, '_, '_>, overwrite: bool) -> Result<bool, Cow<'static, str>> {
    let (from, to, now) = (call.key(1), call.key(2), call.now);
    if call.find(from).is_none() {
        return Err("ERR no such key".into());
    }
    if from.bytes == to.bytes {
        return Ok(overwrite);
    }
    if !overwrite && call.find(to).is_some() {
        return Ok(false);
    }
    if let Some(item) = call.stripe(from).take(from, now) {
        call.stripe(to).put(to, item);
    }
    Ok(true)
}

/// Lists the keys that match. Keys are copied one stripe at a time (long ones are shared), and matched
/// without a lock.
pub(super) fn keys(call: &mut Call<'_, '_, '_>) -> Done {
    let (pattern, now) = (Pattern::new(call.args[1])?, call.now);
    let mut steps = Steps(KEYS_STEPS);
    let (mut found, mut bytes) = (Vec::new(), 0);
    for index in 0..STRIPES {
        let keys: Vec<Blob> = call.space.visit(call.keyspace, index, |stripe| {
            let live = stripe.table().iter().filter(|(_, item)| Stripe::is_live(item, now));
            live.map(|(key, _)| key.clone()).collect()
        });
        for key in keys {
            if pattern.fits(key.as_bytes(), &mut steps)? {
                bytes += reply_bytes(&key);
                if !call.out.has_room(bytes) {
                    return Err(REPLY_TOO_LONG.into());
                }
                found.push(key);
            }
        }
    }
    call.out.array(found.len());
    call.items(found.iter());
    Ok(())
}

/// Steps for matching that KEYS may use: a second of a work thread, without a lock.
const KEYS_STEPS: usize = 1 << 28;
/// Steps for matching of one iteration of a scan, which may run on a shard: some milliseconds.
const SCAN_STEPS: usize = 1 << 22;
/// Largest number of slots that one iteration of a scan visits.
const MAX_STEP: usize = 10_000;
/// Bytes of keys, fields and values after which an iteration of a scan ends.
const STEP_BYTES: usize = 1 << 20;

/// The arguments of SCAN, HSCAN and SSCAN from the cursor on.
pub(super) struct ScanOptions<'a> {
    /// `None`: after the end.
    pub(super) cursor: Option<Cursor>,
    pattern: Option<Pattern>,
    pub(super) count: usize,
    kind: Option<&'a [u8]>,
}

/// The items found by one iteration of a scan: keys, or fields with their values. They are copied under the
/// lock, and matched and written without it.
#[derive(Default)]
pub(super) struct Step {
    found: Vec<(Blob, Option<Blob>)>,
    bytes: usize,
}

impl Step {
    /// Adds an entry. False: this is enough for one iteration.
    pub(super) fn add(&mut self, key: &Blob, value: Option<&Blob>) -> bool {
        self.bytes += key.heap() + value.map_or(0, Blob::heap) + size_of::<(Blob, Option<Blob>)>();
        self.found.push((key.clone(), value.cloned()));
        self.bytes < STEP_BYTES
    }

    /// Writes the entries that match, and the cursor of the next iteration.
    pub(super) fn write(
        mut self,
        call: &mut Call<'_, '_, '_>,
        options: &ScanOptions<'_>,
        next: Option<Cursor>,
    ) -> Done {
        call.release();
        if let Some(pattern) = &options.pattern {
            let mut steps = Steps(SCAN_STEPS);
            let mut fits = |key: &Blob| pattern.fits(key.as_bytes(), &mut steps);
            let verdicts: Result<Vec<_>, _> = self.found.iter().map(|(key, _)| fits(key)).collect();
            let mut verdicts = verdicts?.into_iter();
            self.found.retain(|_| verdicts.next() == Some(true));
        }
        let values = self.found.iter().filter(|(_, value)| value.is_some()).count();
        call.out.array(2);
        call.out.bulk(next.map_or(0, Cursor::number).to_string().as_bytes());
        call.out.array(self.found.len() + values);
        let all = self.found.iter().flat_map(|(key, value)| [Some(key), value.as_ref()]);
        call.items(all.flatten());
        Ok(())
    }
}

impl<'a> ScanOptions<'a> {
    /// Parses the arguments from index `at` on.
    pub(super) fn parse(
        call: &Call<'a, '_, '_>,
        at: usize,
        with_type: bool,
    ) -> Result<Self, Cow<'static, str>> {
        let digits = std::str::from_utf8(call.args[at]).unwrap_or("");
        let cursor = digits.parse().map_err(|_| "ERR invalid cursor")?;
        let cursor = Cursor::of_number(cursor);
        let mut options = ScanOptions { cursor, pattern: None, count: 10, kind: None };
        for index in (at + 1..call.args.len()).step_by(2) {
            let Some(value) = call.args.get(index + 1).copied() else { return Err(SYNTAX.into()) };
            if call.is(index, "MATCH") {
                options.pattern = (value != b"*").then(|| Pattern::new(value)).transpose()?;
            } else if call.is(index, "COUNT") {
                let count = number(value).ok_or(NOT_AN_INTEGER)?;
                options.count = usize::try_from(count).ok().filter(|count| *count > 0).ok_or(SYNTAX)?;
                options.count = options.count.min(MAX_STEP);
            } else if call.is(index, "TYPE") && with_type {
                options.kind = Some(value);
            } else {
                return Err(SYNTAX.into());
            }
        }
        Ok(options)
    }
}

pub(super) fn scan(call: &mut Call<'_, '_, '_>) -> Done {
    let options = ScanOptions::parse(call, 1, true)?;
    let now = call.now;
    let (mut step, mut left) = (Step::default(), options.count);
    let mut cursor = options.cursor;
    while let Some(at) = cursor.filter(|_| left > 0) {
        let next = call.space.visit(call.keyspace, usize::from(at.stripe), |stripe| {
            let table = stripe.table();
            left = left.saturating_sub(table.slots().saturating_sub(at.slot as usize));
            table.scan(at, options.count, |key, item| {
                let kind =
                    options.kind.is_none_or(|kind| kind.eq_ignore_ascii_case(item.data.kind().as_bytes()));
                let more = !(kind && Stripe::is_live(item, now)) || step.add(key, None);
                if !more {
                    left = 0;
                }
                more
            })
        });
        cursor = next.or_else(|| {
            let stripe = at.stripe + 1;
            (usize::from(stripe) < STRIPES).then(|| Cursor::of_stripe(stripe))
        });
        if next.is_some() {
            break;
        }
    }
    step.write(call, &options, cursor)
}

/// Slots that are searched for expired keys before keys are counted.
pub(super) const COUNT_SWEEP: usize = 1 << 16;

pub(super) fn dbsize(call: &mut Call<'_, '_, '_>) -> Done {
    let (mut keys, mut sweep, now) = (0, COUNT_SWEEP, call.now);
    call.each(|stripe| {
        stripe.sweep_all(now, &mut sweep);
        keys += stripe.len();
    });
    call.count(keys)
}

pub(super) fn flush(call: &mut Call<'_, '_, '_>) -> Done {
    if call.args.len() > 2 || (call.args.len() == 2 && !call.is(1, "SYNC") && !call.is(1, "ASYNC")) {
        return Err(SYNTAX.into());
    }
    call.each(Stripe::clear);
    call.ok()
}

pub(super) fn randomkey(call: &mut Call<'_, '_, '_>) -> Done {
    let (now, random) = (call.now, call.keyspace.random());
    for step in 0..STRIPES {
        let index = (random as usize).wrapping_add(step) % STRIPES;
        let found = call.space.visit(call.keyspace, index, |stripe| {
            let table = stripe.table();
            // A few attempts: expired keys do not count.
            let slots = (0..8).filter_map(|_| table.any(|| call.keyspace.random()));
            let mut live =
                slots.filter_map(|slot| table.at(slot)).filter(|(_, item)| Stripe::is_live(item, now));
            live.next().map(|(key, _)| key.clone())
        });
        if let Some(key) = found {
            key.write(call.out);
            return Ok(());
        }
    }
    call.out.null();
    Ok(())
}
