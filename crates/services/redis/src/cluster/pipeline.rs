//! A pipeline of a cluster: one call for each node, and the replies in the order of the commands.
//!
//! Commands of one slot go to one node in their order. Redirected commands are sent again together, in the
//! same order, after the others have been answered; so while a slot moves, a command may be executed after a
//! later one of the same slot that was answered at once.

use super::{
    nodes::{Inner, Picked},
    place::Placed,
    redirect::Redirect,
    request::{Effort, exchange, failed},
};
use crate::{Command, Value};
use bytes::{Bytes, BytesMut};
use polywire_call::{Code, Status};
use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::Poll,
};

/// The commands that go to one node in one round.
struct Batch {
    picked: Picked,
    /// The indexes of the commands in the pipeline, and whether ASKING precedes each.
    commands: Vec<(usize, bool)>,
}

/// Sends all commands until each is answered.
pub(super) async fn send(
    inner: &Inner,
    body: Bytes,
    places: &[Placed],
    mut effort: Effort,
) -> Result<Vec<Value>, Status> {
    let command = |at: usize| {
        let end = places.get(at + 1).map_or(body.len(), |next| next.begin);
        body.slice(places[at].begin..end)
    };
    let mut replies: Vec<Option<Value>> = vec![None; places.len()];
    // Where a command is to go that was redirected.
    let mut targets: Vec<Option<(Arc<super::nodes::Node>, bool)>> = vec![None; places.len()];
    let mut left: Vec<usize> = (0..places.len()).collect();
    let reads = places.iter().all(|placed| placed.place.reads);
    while !left.is_empty() {
        let batches = match group(inner, places, &mut targets, &left, effort.failures).await {
            Ok(batches) => batches,
            Err(status) => {
                effort.pause(status).await?;
                continue;
            }
        };
        let mut calls: Vec<Pin<Box<dyn Future<Output = Result<Bytes, Status>> + Send>>> = Vec::new();
        for batch in &batches {
            let mut request = BytesMut::new();
            for (at, asking) in &batch.commands {
                if *asking {
                    Command::new("ASKING").append(&mut request);
                }
                request.extend_from_slice(&command(*at));
            }
            let (channel, request, deadline) = (batch.picked.channel()?, request.freeze(), effort.deadline);
            calls.push(Box::pin(async move { exchange(&channel, &request, false, deadline).await }));
        }
        left.clear();
        let (mut later, mut redirected, mut unreached) = (None, None, None);
        for (batch, outcome) in batches.iter().zip(all(calls).await) {
            let mut rest = match outcome {
                Ok(rest) => rest,
                Err(status) => {
                    left.extend(batch.commands.iter().map(|(at, _)| *at));
                    unreached = Some(status);
                    continue;
                }
            };
            for (at, asking) in &batch.commands {
                let mut take =
                    || Value::take(&mut rest).map_err(|error| Status::new(Code::DataLoss, error.to_string()));
                if *asking {
                    take()?;
                }
                let reply = take()?;
                let redirect = match &reply {
                    Value::Error(text) => Redirect::of(text).map(|redirect| (redirect, text.clone())),
                    _ => None,
                };
                match redirect {
                    None => replies[*at] = Some(reply),
                    Some((redirect, line)) => {
                        left.push(*at);
                        let line = String::from_utf8_lossy(&line).into_owned();
                        match redirect {
                            Redirect::Later => later = Some(line),
                            Redirect::Moved(slot, address) => {
                                let node = inner.redirected(&address, &batch.picked.node).await?;
                                inner.moved(slot, &node);
                                targets[*at] = Some((node, false));
                                redirected = Some(line);
                            }
                            Redirect::Ask(address) => {
                                let node = inner.redirected(&address, &batch.picked.node).await?;
                                targets[*at] = Some((node, true));
                                redirected = Some(line);
                            }
                        }
                    }
                }
            }
        }
        left.sort_unstable();
        if let Some(line) = redirected {
            effort.redirect(&line)?;
        }
        if let Some(status) = unreached {
            failed(inner, &mut effort, status, reads).await?;
        } else if let Some(line) = later {
            effort.pause(crate::line_status(&line)).await?;
        }
    }
    Ok(replies.into_iter().map(|reply| reply.unwrap_or(Value::Null)).collect())
}

/// Assigns the commands to nodes.
async fn group(
    inner: &Inner,
    places: &[Placed],
    targets: &mut [Option<(Arc<super::nodes::Node>, bool)>],
    left: &[usize],
    failures: u32,
) -> Result<Vec<Batch>, Status> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut keyless = None;
    for at in left {
        let place = places[*at].place;
        let (picked, asking) = match targets[*at].take() {
            Some((node, asking)) => (Picked { node, reading: false }, asking),
            // Those without keys go to one node together.
            None if place.slot.is_none() => {
                if keyless.is_none() {
                    keyless = Some(inner.find(None, false, failures).await?.node);
                }
                (Picked { node: keyless.clone().expect("found above"), reading: false }, false)
            }
            None => (inner.find(place.slot, false, failures).await?, false),
        };
        match batches.iter_mut().find(|batch| Arc::ptr_eq(&batch.picked.node, &picked.node)) {
            Some(batch) => batch.commands.push((*at, asking)),
            None => batches.push(Batch { picked, commands: vec![(*at, asking)] }),
        }
    }
    Ok(batches)
}

/// Waits for all calls, which run side by side.
async fn all<T>(mut calls: Vec<Pin<Box<dyn Future<Output = T> + Send>>>) -> Vec<T> {
    let mut outputs: Vec<Option<T>> = calls.iter().map(|_| None).collect();
    poll_fn(|cx| {
        let mut over = true;
        for (call, output) in calls.iter_mut().zip(&mut outputs) {
            if output.is_none() {
                match call.as_mut().poll(cx) {
                    Poll::Ready(ended) => *output = Some(ended),
                    Poll::Pending => over = false,
                }
            }
        }
        if over { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    outputs.into_iter().flatten().collect()
}
