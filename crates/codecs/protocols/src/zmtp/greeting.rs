//! The greeting: 64 bytes each way. It is sent at once, without waiting for the peer's, because libzmq sends
//! ten bytes and then waits as well.
//!
//! | offset | size | field | value |
//! | --- | --- | --- | --- |
//! | 0 | 10 | signature | FF, 8 bytes of padding, 7F |
//! | 10 | 2 | version | 3, 1 |
//! | 12 | 20 | mechanism | `NULL`, `PLAIN`, `CURVE`, zero padded |
//! | 32 | 1 | as-server | 0 or 1; ignored on receipt, as libzmq does, whose clients and servers all say 0 |
//! | 33 | 31 | filler | zeros |
//!
//! Source: docs/wire/zmtp.md, section 1

use super::{Security, error::Fault};

pub(super) const LENGTH: usize = 64;

/// The greeting of this side.
pub(super) fn own(security: &Security) -> [u8; LENGTH] {
    let mut greeting = [0; LENGTH];
    greeting[0] = 0xff;
    greeting[8] = 1; // the padding of libzmq: length of an empty identity and its flags in ZMTP 1.0
    greeting[9] = 0x7f;
    (greeting[10], greeting[11]) = (3, 1);
    let mechanism = security.mechanism().as_bytes();
    greeting[12..12 + mechanism.len()].copy_from_slice(mechanism);
    greeting
}

/// Checks the part of the peer's greeting that has arrived. When it is complete, returns the minor version to
/// speak, 0 or 1.
pub(super) fn read(front: &[u8], security: &Security) -> Result<Option<u8>, Fault> {
    if front.first().is_some_and(|&byte| byte != 0xff) || front.get(9).is_some_and(|&byte| byte != 0x7f) {
        return Err(Fault::Signature);
    }
    if front.get(10).is_some_and(|&major| major < 3) {
        return Err(Fault::Version);
    }
    let Some(whole) = front.get(..LENGTH) else { return Ok(None) };
    let mut mechanism = [0; 20];
    mechanism[..security.mechanism().len()].copy_from_slice(security.mechanism().as_bytes());
    if whole[12..32] != mechanism {
        return Err(Fault::Mechanism);
    }
    Ok(Some(if whole[10] > 3 { 1 } else { whole[11].min(1) }))
}
