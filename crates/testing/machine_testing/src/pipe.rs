//! One direction of a network in virtual time.

use crate::{Fate, FaultPlan, fault::Faults};
use std::{collections::VecDeque, time::Instant};

/// Carries bytes from a writer to a reader according to its plan. It has no clock: time is an argument.
///
/// ```
/// # use polywire_machine_testing::{Arrival, FaultPlan, Pipe, epoch};
/// # use std::time::Duration;
/// let ms = Duration::from_millis;
/// let mut pipe = Pipe::new(FaultPlan::new(1).delay(ms(5)..ms(6)));
/// assert_eq!(pipe.write(epoch(), b"hello"), 5);
/// assert_eq!(pipe.read(epoch()), None); // still in transit
/// assert_eq!(pipe.read(epoch() + ms(6)), Some(Arrival::Bytes(b"hello".to_vec())));
/// ```
pub struct Pipe {
    faults: Faults,
    /// Bytes in transit, and when they arrive; times ascend.
    flight: VecDeque<(Instant, Arrival)>,
    bytes: usize,
    /// Whether the end is in transit, or has arrived.
    ended: bool,
}

/// The output of a [`Pipe`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    Bytes(Vec<u8>),
    /// The writer has closed its half.
    End,
    Reset,
}

impl Pipe {
    pub fn new(plan: FaultPlan) -> Self {
        Pipe { faults: Faults::new(plan), flight: VecDeque::new(), bytes: 0, ended: false }
    }

    /// Takes bytes from the writer, and returns how many. Fewer than all: there is no room until something
    /// was read, or there never will be.
    pub fn write(&mut self, now: Instant, bytes: &[u8]) -> usize {
        let mut taken = 0;
        while taken < bytes.len() && !self.ended {
            match self.faults.fate() {
                None => {}
                Some(Fate::Silence) => return bytes.len(),
                Some(Fate::Stuck) => return taken,
                Some(Fate::End) => self.last(now, Arrival::End),
                Some(Fate::Reset) => {
                    self.flight.clear();
                    self.bytes = 0;
                    self.last(now, Arrival::Reset);
                }
            }
            if self.ended {
                break;
            }
            let room = self.faults.capacity().saturating_sub(self.bytes);
            let n = self.faults.piece((bytes.len() - taken).min(room));
            if n == 0 {
                return taken;
            }
            self.faults.pass(n);
            self.bytes += n;
            self.depart(now, Arrival::Bytes(bytes[taken..taken + n].to_vec()));
            taken += n;
        }
        if self.ended { bytes.len() } else { taken } // bytes written after the end are lost
    }

    /// The writer closes its half.
    pub fn end(&mut self, now: Instant) {
        if !self.ended && !matches!(self.faults.fate(), Some(Fate::Silence | Fate::Stuck)) {
            self.last(now, Arrival::End);
        }
    }

    fn last(&mut self, now: Instant, words: Arrival) {
        self.ended = true;
        self.depart(now, words);
    }

    fn depart(&mut self, now: Instant, what: Arrival) {
        let at = now + self.faults.delay();
        let at = self.flight.back().map_or(at, |(last, _)| at.max(*last));
        self.flight.push_back((at, what));
    }

    /// When the next bytes arrive.
    pub fn next(&self) -> Option<Instant> {
        self.flight.front().map(|(at, _)| *at)
    }

    /// The bytes that have arrived by now, piece by piece; `None` if no more have arrived yet.
    pub fn read(&mut self, now: Instant) -> Option<Arrival> {
        self.next().filter(|at| *at <= now)?;
        let (_, arrived) = self.flight.pop_front()?;
        if let Arrival::Bytes(bytes) = &arrived {
            self.bytes -= bytes.len();
        }
        Some(arrived)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epoch;
    use std::time::Duration;

    fn all(pipe: &mut Pipe, now: Instant) -> (Vec<usize>, Vec<u8>, Option<Arrival>) {
        let (mut sizes, mut bytes) = (Vec::new(), Vec::new());
        while let Some(arrived) = pipe.read(now) {
            match arrived {
                Arrival::Bytes(piece) => {
                    sizes.push(piece.len());
                    bytes.extend(piece);
                }
                last => return (sizes, bytes, Some(last)),
            }
        }
        (sizes, bytes, None)
    }

    #[test]
    fn pieces_arrive_in_order_and_complete() {
        let ms = Duration::from_millis;
        let mut pipe = Pipe::new(FaultPlan::new(3).pieces(4).delay(ms(1)..ms(90)));
        let sent: Vec<u8> = (0..200).collect();
        assert_eq!(pipe.write(epoch(), &sent), 200);
        pipe.end(epoch());
        let (mut got, mut now) = (Vec::new(), epoch());
        loop {
            let (sizes, bytes, last) = all(&mut pipe, now);
            assert!(sizes.iter().all(|s| (1..=4).contains(s)));
            got.extend(bytes);
            if last.is_some() {
                assert_eq!(last, Some(Arrival::End));
                break;
            }
            now = pipe.next().expect("the end is under way");
        }
        assert_eq!(got, sent);
    }

    #[test]
    fn each_fate_comes_at_its_byte() {
        let run = |fate| {
            let mut pipe = Pipe::new(FaultPlan::new(1).after(3, fate));
            let taken = pipe.write(epoch(), b"hello");
            pipe.end(epoch());
            let (_, bytes, last) = all(&mut pipe, epoch());
            (taken, bytes, last)
        };
        assert_eq!(run(Fate::End), (5, b"hel".to_vec(), Some(Arrival::End)));
        assert_eq!(run(Fate::Reset), (5, vec![], Some(Arrival::Reset)));
        assert_eq!(run(Fate::Silence), (5, b"hel".to_vec(), None));
        assert_eq!(run(Fate::Stuck), (3, b"hel".to_vec(), None));
    }

    #[test]
    fn a_full_pipe_takes_more_once_it_was_read() {
        let mut pipe = Pipe::new(FaultPlan::new(1).capacity(4));
        assert_eq!(pipe.write(epoch(), b"hello"), 4);
        assert_eq!(pipe.write(epoch(), b"o"), 0);
        assert_eq!(all(&mut pipe, epoch()).1, b"hell");
        assert_eq!(pipe.write(epoch(), b"o"), 1);
    }
}
