//! Errors of a peer, and the error code that answers each.
//!
//! Source: RFC 9113 5.4, 7

use polywire_wire::{Flood, WireError};

/// Error code of RST_STREAM and GOAWAY (RFC 9113 7): 32 bits, an open space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Code(pub u32);

impl Code {
    pub const NO_ERROR: Code = Code(0x0);
    pub const PROTOCOL_ERROR: Code = Code(0x1);
    pub const INTERNAL_ERROR: Code = Code(0x2);
    pub const FLOW_CONTROL_ERROR: Code = Code(0x3);
    pub const SETTINGS_TIMEOUT: Code = Code(0x4);
    pub const STREAM_CLOSED: Code = Code(0x5);
    pub const FRAME_SIZE_ERROR: Code = Code(0x6);
    pub const REFUSED_STREAM: Code = Code(0x7);
    pub const CANCEL: Code = Code(0x8);
    pub const COMPRESSION_ERROR: Code = Code(0x9);
    pub const ENHANCE_YOUR_CALM: Code = Code(0xb);
}

/// How a peer broke the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// 5.4.1: GOAWAY with the code and the text as debug data, then the end.
    Connection(Code, &'static str),
    /// 5.4.2: RST_STREAM; the connection stays open.
    Stream(u32, Code, &'static str),
    /// Allowed frames in excessive number: GOAWAY(ENHANCE_YOUR_CALM).
    Flood(Flood, &'static str),
    /// The peer has not answered in time.
    Silent(Code, &'static str),
}

impl Fault {
    pub const fn protocol(text: &'static str) -> Fault {
        Fault::Connection(Code::PROTOCOL_ERROR, text)
    }

    pub const fn frame_size(text: &'static str) -> Fault {
        Fault::Connection(Code::FRAME_SIZE_ERROR, text)
    }

    /// The error code of the GOAWAY.
    pub fn goaway(self) -> (Code, &'static str) {
        match self {
            Fault::Connection(code, text) | Fault::Stream(_, code, text) | Fault::Silent(code, text) => {
                (code, text)
            }
            Fault::Flood(_, text) => (Code::ENHANCE_YOUR_CALM, text),
        }
    }

    /// The error that the engine counts.
    pub fn wire(self) -> WireError {
        match self {
            Fault::Connection(Code::FLOW_CONTROL_ERROR, _) => WireError::FlowControl,
            Fault::Connection(_, text) | Fault::Stream(_, _, text) => WireError::Malformed(text),
            Fault::Flood(flood, _) => WireError::Flood(flood),
            Fault::Silent(..) => WireError::Silent,
        }
    }
}
