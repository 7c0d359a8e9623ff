//! Whether the answers to one message differ.
//!
//! Those of one shadow are compared one after the other, on a thread for blocking work: at most as many wait
//! as there are copies.

use super::{
    Shadow,
    answers::{Whole, is_lost},
    by_schema,
    counts::Fate,
};
use crate::{
    difference::{self, Answer, Difference, general},
    fields,
};
use polywire_base::{caught, lock};
use polywire_call::Reply;
use polywire_client::Raw;
use polywire_engine::spawn_blocking;
use polywire_formats::compression;
use polywire_wire::{Compression, Longest};
use std::{collections::VecDeque, time::Instant};

/// Answers that wait to be compared.
#[derive(Default)]
pub struct Queue {
    waiting: VecDeque<Whole>,
    /// Whether a thread takes them.
    is_served: bool,
}

/// Compares, when those before have been.
pub fn post(whole: Whole) {
    let (counts, shared) = (whole.shadow.counts.clone(), whole.shadow.queue.clone());
    let mut queue = lock(&shared);
    queue.waiting.push_back(whole);
    if std::mem::replace(&mut queue.is_served, true) {
        return;
    }
    drop(queue);
    spawn_blocking(move || {
        loop {
            let mut queue = lock(&shared);
            let Some(whole) = queue.waiting.pop_front() else {
                queue.is_served = false;
                return;
            };
            drop(queue);
            // A message that no reader of ours stands is the doing of its server.
            if caught(|| compare(whole)).is_err() {
                counts.add(Fate::Failed);
            }
        }
    });
}

fn compare(whole: Whole) {
    let Whole { shadow, found, record, primary, copy, baseline, held } = whole;
    let Shadow { counts, ignored, .. } = &*shadow;
    if is_lost(&primary) || baseline.as_ref().is_some_and(is_lost) {
        return counts.add(Fate::Skipped);
    }
    let method = found.as_ref().map(|found| found.method());
    let json = |raw: &Raw| by_schema::json(method?, raw);
    let primary = plain(primary);
    let compared = |answer: Answer| -> Vec<Difference> {
        let mut found = difference::find(&primary, &plain(answer), ignored, json);
        for difference in &mut found {
            difference.place = general(&difference.place);
            if let Some(method) = method.filter(|_| is_path(&difference.place) && primary.is_ok()) {
                difference.place = by_schema::place(method, &difference.place);
            }
        }
        found
    };
    let noise: Vec<_> =
        baseline.map(compared).unwrap_or_default().into_iter().map(|difference| difference.place).collect();
    let fate = counts.compared(compared(copy), noise, shadow.shows_values);
    if let (Fate::Different, Some(recorder), Some(record)) = (fate, &shadow.recorder, record) {
        recorder.put(*record, Instant::now());
    }
    drop(held);
}

/// Whether a place is a field of the message.
fn is_path(place: &str) -> bool {
    !place.starts_with("header:") && !["status", "attachment", "body"].contains(&place)
}

/// An answer without its compression and without the fields of its connection.
fn plain(answer: Answer) -> Answer {
    let (mut raw, attachment, trailers, _) = answer?.into_parts();
    if let Ok(body) = compression::decompress(raw.compression, raw.body.clone(), Longest::default()) {
        (raw.body, raw.compression) = (body, Compression::NONE);
    }
    let trailers = fields::of_reply(&trailers).map(|fields| *fields).unwrap_or_default();
    Ok(Reply::from_parts(raw, attachment, trailers, Compression::NONE))
}
