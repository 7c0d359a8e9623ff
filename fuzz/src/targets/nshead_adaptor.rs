//! The nshead machine as server of a dialect, whose adaptor takes what it is told by the bodies: names,
//! lengths, replies.

use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_protocols::nshead::{Adaptor, Adaptors, Call, Head, PROTOCOL, Reply, Returned};
use polywire_wire::{Extensions, Role};
use std::sync::Arc;

/// A body: how long its service's name, its method's name and its attachment are (a byte each), whether what
/// it becomes is longer than it was, then these, and the message.
struct Told;

impl Adaptor for Told {
    fn request(&mut self, head: &Head, mut body: IoBuf) -> Result<Call, Status> {
        let Some(&[service, method, attachment, times]) = body.contiguous().first_chunk() else {
            return Err(Status::invalid_argument("short"));
        };
        body.advance(4);
        let mut name = |length: u8| {
            let length = usize::from(length).min(body.len());
            let name = body.cut(length).to_vec();
            String::from_utf8(name).map_err(|_| Status::invalid_argument("a name"))
        };
        let (service, method) = (name(service)?.repeat(times.into()), name(method)?);
        let attachment = body.cut(usize::from(attachment).min(body.len()));
        let message = body.to_vec().repeat(usize::from(times / 16).max(1));
        let call = Call::new(service, method, message);
        Ok(Call { attachment, log_id: (head.id == 1).then_some(7), ..call })
    }

    fn reply(&mut self, head: &Head, returned: Result<Returned, &Status>) -> Reply {
        match (head.version, returned) {
            (1, _) => Reply::Nothing,
            (2, _) => Reply::Close,
            (_, Ok(returned)) => Reply::Body(returned.message),
            (_, Err(status)) => Reply::Body(status.message().to_owned().into()),
        }
    }
}

pub fn run(input: &[u8]) {
    let told = |role| {
        let mut extensions = Extensions::default();
        extensions.insert(Arc::new(Adaptors::new(|| Told)));
        (role == Role::Server).then_some(extensions)
    };
    crate::play_told(&PROTOCOL, "", told, input);
}
