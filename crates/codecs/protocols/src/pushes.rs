//! Messages that a server sends without a request: publications, and messages of a socket. It sends as many
//! as there is room for.

use polywire_base::Output;
use polywire_wire::Credit;

/// Whether a sender on [`Exchange::CONNECTION`](polywire_wire::Exchange::CONNECTION) waits for room.
#[derive(Default)]
pub(crate) struct Pushes {
    stalled: bool,
}

impl Pushes {
    /// The credit after the message that was just sent.
    #[inline]
    pub fn credit(&mut self, out: &Output) -> Credit {
        let bytes = u32::try_from(out.room()).unwrap_or(u32::MAX);
        let credit = Credit { bytes, messages: u32::MAX };
        self.stalled = !credit.is_open();
        credit
    }

    /// The new credit of a sender that waited, if it may go on.
    #[inline]
    pub fn reopened(&mut self, out: &Output) -> Option<Credit> {
        (self.stalled && out.room() > 0).then(|| self.credit(out))
    }
}
