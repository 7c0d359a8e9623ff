//! Takes the place of `curve.rs` where the feature `curve` is off: no connection has a session.

use crate::zmtp::error::Fault;
use bytes::BytesMut;

pub(crate) enum Session {}

impl Session {
    pub const OVERHEAD: usize = 0;

    pub fn seal(&mut self, _: &mut BytesMut, _: u8, _: &[&[u8]]) -> Result<(), Fault> {
        match *self {}
    }

    pub fn open<'b>(&mut self, _: &'b mut [u8]) -> Result<(u8, &'b mut [u8]), Fault> {
        match *self {}
    }
}
