//! Messages back to back.

use polywire_base::IoBuf;

/// One or more messages in the form they have on the wire.
pub(crate) struct Run {
    pub bytes: IoBuf,
    pub messages: u32,
}
