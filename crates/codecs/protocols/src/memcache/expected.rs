//! The replies that a call still waits for: one for each request, except for quiet requests without a reply.

use super::form::{Form, Reply};
use polywire_wire::WireError;

/// The facts about a request that are kept until its reply arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Request {
    /// Opcode, or the second letter of a meta command.
    pub kind: u8,
    /// Whether the request may have no reply.
    pub quiet: bool,
    pub opaque: Option<u32>,
}

/// The requests of a call, in order, and how many of them are over. One request needs no memory of its own.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Expected {
    requests: Requests,
    next: usize,
    /// Errors since the last reply that any of several requests may have caused.
    errors: usize,
}

#[derive(PartialEq, Eq, Debug)]
enum Requests {
    One(Request),
    Many(Vec<Request>),
}

impl Expected {
    /// # Errors
    /// There are none, or the last one is quiet.
    pub fn new(requests: impl Iterator<Item = Result<Request, &'static str>>) -> Result<Self, &'static str> {
        let mut all: Option<Requests> = None;
        for request in requests {
            let request = request?;
            all = Some(match all {
                None => Requests::One(request),
                Some(Requests::One(first)) => Requests::Many(vec![first, request]),
                Some(Requests::Many(mut all)) => {
                    all.push(request);
                    Requests::Many(all)
                }
            });
        }
        let expected = Expected { requests: all.ok_or("the body has no request")?, next: 0, errors: 0 };
        if expected.all().last().is_some_and(|last| last.quiet) {
            return Err("the last request of a call is quiet: nothing would say when its replies are over");
        }
        Ok(expected)
    }

    fn all(&self) -> &[Request] {
        match &self.requests {
            Requests::One(request) => std::slice::from_ref(request),
            Requests::Many(requests) => requests,
        }
    }

    /// Takes a reply. Returns whether it is the last one of the call.
    ///
    /// # Errors
    /// The reply belongs to another request than the next one to be answered.
    pub fn take(&mut self, form: &impl Form, reply: &Reply) -> Result<bool, WireError> {
        let mut errors = self.errors;
        let all = self.all();
        for (at, request) in all.iter().enumerate().skip(self.next) {
            let is_its = match (request.opaque, reply.opaque) {
                (Some(asked), Some(told)) => asked == told,
                // A line that does not say to what it belongs answers the first request that is owed an
                // answer.
                _ => !request.quiet,
            };
            if is_its && form.fits(request, reply) {
                let over = !reply.more && at + 1 == all.len();
                (self.next, self.errors) = (if reply.more { at } else { at + 1 }, 0);
                return Ok(over);
            }
            if request.quiet && reply.opaque.is_none() && form.is_error(reply) {
                // It is this one's, or that of any that follows.
                let over = self.next + self.errors + 1 == all.len();
                self.errors += 1;
                return Ok(over);
            }
            if !request.quiet {
                errors = errors
                    .checked_sub(1)
                    .ok_or(WireError::Malformed("a reply to another request than the next"))?;
            }
        }
        Err(WireError::Malformed("a reply without a request"))
    }

    /// Bytes of memory beyond the value itself.
    pub fn memory(&self) -> usize {
        match &self.requests {
            Requests::One(_) => 0,
            Requests::Many(requests) => requests.capacity() * size_of::<Request>(),
        }
    }
}
