//! Requests to a collector: cut by their bytes, sent once.

use crate::{Options, fields};
use polywire_call::{Code, Status};
use polywire_client::{Channel, Target};

/// Bytes of messages in one request; half of what gRPC's servers take by default.
const MOST_BYTES: usize = 2 << 20;

/// Divides messages into groups of at most [`MOST_BYTES`]; a longer message is a group of its own.
pub fn groups(messages: Vec<Vec<u8>>) -> Vec<Vec<Vec<u8>>> {
    let (mut groups, mut group, mut len) = (Vec::new(), Vec::new(), 0);
    for message in messages {
        if len + message.len() > MOST_BYTES && !group.is_empty() {
            groups.push(std::mem::take(&mut group));
            len = 0;
        }
        len += message.len();
        group.push(message);
    }
    groups.extend((!group.is_empty()).then_some(group));
    groups
}

/// Sends one request. Returns how many spans or points the collector did not want.
pub async fn send<P>(
    channel: &Channel<P>,
    to: Target,
    options: &Options,
    body: Vec<u8>,
) -> Result<u64, Status> {
    let reply = channel.call(to, body).timeout(options.timeout).await?;
    Ok(fields::rejected(&reply.into_message().body.to_vec()))
}

/// Whether the same request may succeed later. Source: OpenTelemetry protocol specification 1.x, "Failures"
/// of OTLP/gRPC: the retryable codes.
pub fn may_succeed(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Cancelled
            | Code::DeadlineExceeded
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unavailable
            | Code::DataLoss
            | Code::ResourceExhausted
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_cut_by_their_bytes() {
        let lens = |messages: &[usize]| -> Vec<Vec<usize>> {
            let messages = messages.iter().map(|len| vec![0; *len]).collect();
            groups(messages).iter().map(|group| group.iter().map(Vec::len).collect()).collect()
        };
        assert_eq!(lens(&[]), Vec::<Vec<usize>>::new());
        assert_eq!(lens(&[1 << 20, 1 << 20, 1]), [vec![1 << 20, 1 << 20], vec![1]]);
        assert_eq!(lens(&[5 << 20, 1, 2]), [vec![5 << 20], vec![1, 2]]);
    }
}
