//! The machine: refuses a hello and gives the connection on.

use super::hello::Hello;
use polywire_wire::{Cx, Exchange, Machine, Outcome, Step, WireError};

#[derive(Default)]
pub(super) enum Server {
    #[default]
    Hello,
    Acknowledgement,
    Over,
}

impl Machine for Server {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        loop {
            let there = cx.input.len();
            match self {
                Server::Hello => {
                    let front = cx.input.peek(there.min(8)).expect("it is here");
                    let Some((hello, length)) = Hello::read(front)? else { return Ok(Step::Need(1)) };
                    if there < length {
                        return Ok(Step::Need(length - there));
                    }
                    cx.input.advance(length);
                    cx.out.tail().extend_from_slice(&hello.refusal());
                    *self = Server::Acknowledgement;
                }
                Server::Acknowledgement => {
                    let Some(bytes) = cx.input.peek(4) else { return Ok(Step::Need(4 - there)) };
                    if bytes[3] & 1 != 0 {
                        return Err(WireError::Malformed("what was refused is in use"));
                    }
                    cx.input.advance(4);
                    *self = Server::Over;
                }
                Server::Over if there == 0 => return Ok(Step::Need(1)),
                Server::Over => return Ok(Step::Foreign),
            }
        }
    }

    fn finish(&mut self, _: &mut Cx<'_>, _: Exchange, _: Outcome) {}

    fn is_receiving(&self) -> bool {
        matches!(self, Server::Acknowledgement)
    }
}
