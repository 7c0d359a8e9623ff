//! Assembles messages from frames: those at the front of the input, and those that wait for the rest of their
//! message.
//!
//! A message that is complete in one segment is cut off as one piece. Otherwise its complete frames are moved
//! here, so that a message of many long frames is copied once and not once per frame. Each frame that is
//! delivered lies in one segment.
//!
//! Limits: `max` bytes and `max_frames` frames per message, counted before they are taken.

use super::{
    error::Fault,
    frame::{Head, LONG, MAX_HEAD},
};
use polywire_base::IoBuf;
use polywire_wire::Credit;

/// The message that is arriving.
pub(super) struct Assembly {
    /// The complete frames of the message that were taken from the input.
    partial: IoBuf,
    frames: u32,
    max: usize,
    max_frames: u32,
    /// Whether the rest of a long frame is awaited. In that case silence does not mean that the peer has
    /// failed, because the engine reads without polling the machine.
    long: bool,
}

/// The finding at the front of the input.
pub(super) enum Front {
    /// A whole message in wire form, taken from the input, and the number of further ones after it.
    Messages(IoBuf, u32),
    /// A complete command frame, which stays in the input.
    Command(Head),
    /// The frame is incomplete; this many bytes are missing.
    Need(usize),
}

/// Shortest frame that counts as long.
const LONG_FRAME: usize = 64 << 10;

impl Assembly {
    pub fn new(max: usize, max_frames: u32) -> Self {
        Assembly { partial: IoBuf::new(), frames: 0, max, max_frames, long: false }
    }

    /// Number of bytes held beyond the input.
    pub fn held(&self) -> usize {
        self.partial.len()
    }

    pub fn awaits_long_frame(&self) -> bool {
        self.long
    }

    /// Takes up to `most` messages, of together about `window` bytes, from the front. Hot: once per message.
    #[inline]
    pub fn next(&mut self, input: &mut IoBuf, most: Credit) -> Result<Front, Fault> {
        let front = input.front();
        let (mut at, mut frames) = (0, self.frames);
        self.long = false;
        while let Some(head) = Head::read(&front[at..], self.max)? {
            if head.is_command() {
                break;
            }
            let end = at + head.total();
            frames += 1;
            self.check(end, frames)?;
            if end > front.len() {
                break;
            }
            at = end;
            if !head.has_more() {
                let others = if self.partial.is_empty() { self.others(front, &mut at, most) } else { 0 };
                return Ok(Front::Messages(self.complete(input.cut(at)), others));
            }
        }
        self.slow(input, at)
    }

    /// Moves `at` past further messages that are complete in `front`. Bytes that are not a frame are detected
    /// when they are at the front.
    #[inline]
    fn others(&self, front: &[u8], at: &mut usize, most: Credit) -> u32 {
        let (mut others, mut end, mut frames) = (0, *at, 0);
        while others + 1 < most.messages && *at < most.bytes as usize {
            let Ok(Some(head)) = Head::read(&front[end..], self.max) else { break };
            let begin = *at;
            end += head.total();
            frames += 1;
            let fits = end <= front.len() && frames <= self.max_frames && end - begin <= self.longest();
            if head.is_command() || !fits {
                break;
            }
            if !head.has_more() {
                (*at, frames) = (end, 0);
                others += 1;
            }
        }
        others
    }

    fn check(&self, bytes: usize, frames: u32) -> Result<(), Fault> {
        if self.partial.len() + bytes > self.longest() || frames > self.max_frames {
            return Err(Fault::TooLarge);
        }
        Ok(())
    }

    /// Longest message in wire form. It includes the heads of as many frames as are allowed.
    fn longest(&self) -> usize {
        self.max + self.max_frames as usize * MAX_HEAD
    }

    /// The message does not end in this segment: its first `at` bytes are complete frames. Continues frame by
    /// frame.
    #[cold]
    fn slow(&mut self, input: &mut IoBuf, at: usize) -> Result<Front, Fault> {
        self.take_frames(input, at);
        loop {
            let here = input.len();
            let Some(head) = read_head(input, self.max)? else {
                let long = input.front().first().is_some_and(|flags| flags & LONG != 0);
                return Ok(Front::Need(if long { MAX_HEAD } else { 2 } - here));
            };
            self.check(head.total(), self.frames + 1)?;
            if head.total() > here {
                self.long = head.body >= LONG_FRAME;
                return Ok(Front::Need(head.total() - here));
            }
            if head.is_command() {
                return Ok(Front::Command(head));
            }
            input.peek(head.total()); // in one segment
            let frame = input.cut(head.total());
            if !head.has_more() {
                return Ok(Front::Messages(self.complete(frame), 0));
            }
            self.partial.append(frame);
            self.frames += 1;
        }
    }

    /// Moves complete frames, all with MORE, out of the first segment.
    fn take_frames(&mut self, input: &mut IoBuf, bytes: usize) {
        let mut at = 0;
        while at < bytes {
            let head = Head::read(&input.front()[at..], self.max).ok().flatten().expect("read before");
            at += head.total();
            self.frames += 1;
        }
        if bytes > 0 {
            self.partial.append(input.cut(bytes));
        }
    }

    /// Adds one frame of a message whose frames were encrypted. Returns the whole message with its last
    /// frame.
    pub fn push(&mut self, frame: IoBuf, more: bool) -> Result<Option<IoBuf>, Fault> {
        self.check(frame.len(), self.frames + 1)?;
        if more {
            self.partial.append(frame);
            self.frames += 1;
            return Ok(None);
        }
        Ok(Some(self.complete(frame)))
    }

    #[inline]
    fn complete(&mut self, last: IoBuf) -> IoBuf {
        self.frames = 0;
        if self.partial.is_empty() {
            return last;
        }
        let mut whole = std::mem::take(&mut self.partial);
        whole.append(last);
        whole
    }
}

/// Reads the head at the front, in one segment or several.
pub(super) fn read_head(input: &mut IoBuf, most: usize) -> Result<Option<Head>, Fault> {
    let front = input.peek(input.len().min(MAX_HEAD)).expect("asked for what is here");
    Head::read(front, most)
}
