//! The latest load that a server has reported by ORCA, Open Request Cost Aggregation: in the trailer of a
//! call or on a separate stream.

use crate::Time;
use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The fields of a `xds.data.orca.v3.OrcaLoadReport` from which weights are computed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct OrcaLoad {
    /// `rps_fractional`: queries per second that the server answers.
    pub qps: f64,
    /// `eps`: errors per second, a part of the queries.
    pub eps: f64,
    /// 1 is the full capacity; may be above.
    pub cpu_utilization: f64,
    /// The utilization that the application reports; if it is above 0 it is used instead of that of the
    /// processor.
    pub application_utilization: f64,
}

/// The last report that was of use. Each number is written by itself: between two reports a reader may see
/// one of each.
#[derive(Debug, Default)]
pub(crate) struct Orca {
    /// The queries per second, as the bits of an `f64`.
    qps: AtomicU64,
    eps: AtomicU64,
    utilization: AtomicU64,
    /// When the latest report arrived; and when the first one arrived since the server was new or its reports
    /// had expired. In nanoseconds; 0: none.
    last: AtomicU64,
    since: AtomicU64,
}

/// The conditions and factors under which reports count: the settings of gRFC A58.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Counted {
    pub blackout: Duration,
    pub expiration: Duration,
    pub error_penalty: f64,
}

impl OrcaLoad {
    /// Parses an encoded report: the value of the trailer `endpoint-load-metrics-bin` of a gRPC call. If a
    /// field occurs more than once the last one counts, and fields that are not used here are skipped.
    ///
    /// `None`: the bytes are not a protobuf message.
    pub fn decode(mut bytes: &[u8]) -> Option<Self> {
        let mut load = OrcaLoad::default();
        while !bytes.is_empty() {
            let tag = varint(&mut bytes)?;
            let field = tag >> 3;
            match tag & 7 {
                _ if field == 0 || field >= 1 << 29 => return None,
                0 => drop(varint(&mut bytes)?),
                1 => {
                    let number = f64::from_le_bytes(take(&mut bytes, 8)?.try_into().ok()?);
                    match field {
                        1 => load.cpu_utilization = number,
                        6 => load.qps = number,
                        7 => load.eps = number,
                        9 => load.application_utilization = number,
                        _ => {}
                    }
                }
                2 => {
                    let length = varint(&mut bytes)?;
                    take(&mut bytes, usize::try_from(length).ok()?)?;
                }
                5 => drop(take(&mut bytes, 4)?),
                _ => return None, // groups, which no version of the message has
            }
        }
        Some(load)
    }

    /// `None` if the report has no usable value.
    fn utilization(&self) -> Option<f64> {
        let own = self.application_utilization;
        let utilization = if own > 0.0 { own } else { self.cpu_utilization };
        let is_number = |number: f64| number.is_finite() && number > 0.0;
        (is_number(utilization) && is_number(self.qps)).then_some(utilization)
    }
}

pub(crate) fn take<'a>(bytes: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(n)?;
    *bytes = rest;
    Some(taken)
}

pub(crate) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F).checked_shl(shift)?;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

impl Orca {
    /// A report without queries or without utilization leaves the one before.
    pub fn report(&self, load: &OrcaLoad, now: Time) {
        let Some(utilization) = load.utilization() else { return };
        let eps = if load.eps.is_finite() { load.eps.max(0.0) } else { 0.0 };
        self.qps.store(load.qps.to_bits(), Relaxed);
        self.eps.store(eps.to_bits(), Relaxed);
        self.utilization.store(utilization.to_bits(), Relaxed);
        let now = now.0.max(1);
        self.last.store(now, Relaxed);
        if self.since.load(Relaxed) == 0 {
            self.since.store(now, Relaxed);
        }
    }

    /// Queries per second, errors per second, utilization, and the time of the report.
    pub fn last(&self) -> Option<([f64; 3], Time)> {
        let last = self.last.load(Relaxed);
        let number = |bits: &AtomicU64| f64::from_bits(bits.load(Relaxed));
        (last > 0).then(|| ([&self.qps, &self.eps, &self.utilization].map(number), Time(last)))
    }

    /// The weight of a server that is ready since `ready_since`, where that is known; `None`: reports are too
    /// young or too old.
    pub fn weight(&self, counted: &Counted, ready_since: Option<Time>, now: Time) -> Option<f64> {
        let ([qps, eps, utilization], last) = self.last()?;
        if now.since(last) >= counted.expiration {
            self.since.store(0, Relaxed); // later reports have a blackout of their own
            return None;
        }
        let since = Time(self.since.load(Relaxed)).max(ready_since.unwrap_or_default());
        if !counted.blackout.is_zero() && now.since(since) < counted.blackout {
            return None;
        }
        let weight = qps / (utilization + counted.error_penalty * eps / qps);
        (weight.is_finite() && weight > 0.0).then_some(weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTED: Counted = Counted {
        blackout: Duration::from_secs(10),
        expiration: Duration::from_secs(180),
        error_penalty: 1.0,
    };

    fn at(seconds: u64) -> Time {
        Time((1000 + seconds) * 1_000_000_000)
    }

    fn load(qps: f64, eps: f64, cpu_utilization: f64, application_utilization: f64) -> OrcaLoad {
        OrcaLoad { qps, eps, cpu_utilization, application_utilization }
    }

    /// `OrcaLoadReport` as Python's protobuf writes it: all fields, a map entry in between.
    const REPORT: &[u8] = b"\x09\0\0\0\0\0\0\xE0\x3F\x11\0\0\0\0\0\0\xD0\x3F\x18\x96\x01\
        \x22\x0C\x0A\x01a\x11\0\0\0\0\0\0\xF0\x3F\x31\0\0\0\0\0\0\x59\x40\x39\0\0\0\0\0\0\x10\x40\x49\0\0\0\0\0\0\xE8\x3F";

    #[test]
    fn reports_are_read_from_the_wire() {
        let expected = load(100.0, 4.0, 0.5, 0.75);
        assert_eq!(OrcaLoad::decode(REPORT), Some(expected));
        assert_eq!(OrcaLoad::decode(&[]), Some(OrcaLoad::default()));
        let twice = [REPORT, b"\x31\0\0\0\0\0\0\x69\x40"].concat();
        assert_eq!(OrcaLoad::decode(&twice).unwrap().qps, 200.0);
        for wrong in [
            &b"\x0B"[..],
            b"\x00\x01",
            b"\x09\0\0",
            b"\x22\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
            &[0xFF; 20],
        ] {
            assert_eq!(OrcaLoad::decode(wrong), None, "{wrong:x?}");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let mut bytes = REPORT.to_vec();
            bytes.truncate(random.usize(..=bytes.len()));
            for _ in 0..random.usize(..4).min(bytes.len()) {
                let at = random.usize(..bytes.len());
                bytes[at] = random.u8(..);
            }
            if let Some(read) = OrcaLoad::decode(&bytes) {
                let orca = Orca::default();
                orca.report(&read, at(0));
                let weight = orca.weight(&COUNTED, None, at(10));
                assert!(weight.is_none_or(|weight| weight.is_finite() && weight > 0.0), "{bytes:x?}");
            }
        }
    }

    #[test]
    fn the_weight_is_queries_by_utilization_and_errors() {
        for (load, weight) in [
            (load(100.0, 0.0, 0.5, 0.0), Some(200.0)),
            (load(100.0, 0.0, 0.5, 0.25), Some(400.0)),
            (load(100.0, 25.0, 0.25, 0.0), Some(200.0)),
            (load(100.0, -5.0, 0.5, -1.0), Some(200.0)),
            (load(100.0, f64::NAN, 0.5, f64::NAN), Some(200.0)),
            (load(0.0, 0.0, 0.5, 0.0), None),
            (load(100.0, 0.0, 0.0, 0.0), None),
            (load(f64::INFINITY, 0.0, 0.5, 0.0), None),
            (load(f64::NAN, 0.0, 0.5, 0.0), None),
            (load(f64::MAX, 0.0, f64::MIN_POSITIVE, 0.0), None),
        ] {
            let orca = Orca::default();
            orca.report(&load, at(0));
            assert_eq!(orca.weight(&COUNTED, None, at(10)), weight, "{load:?}");
        }
    }

    #[test]
    fn reports_count_after_the_blackout_and_before_they_expire() {
        let orca = Orca::default();
        assert_eq!(orca.weight(&COUNTED, None, at(0)), None);
        orca.report(&load(10.0, 0.0, 1.0, 0.0), at(0));
        orca.report(&load(20.0, 0.0, 1.0, 0.0), at(5));
        orca.report(&load(0.0, 0.0, 1.0, 0.0), at(9));
        let weights = [9, 10, 184, 185].map(|second| orca.weight(&COUNTED, None, at(second)));
        assert_eq!(weights, [None, Some(20.0), Some(20.0), None]);
        orca.report(&load(30.0, 0.0, 1.0, 0.0), at(200));
        assert_eq!([209, 210].map(|second| orca.weight(&COUNTED, None, at(second))), [None, Some(30.0)]);
        let reconnected = Some(at(205));
        assert_eq!(
            [214, 215].map(|second| orca.weight(&COUNTED, reconnected, at(second))),
            [None, Some(30.0)]
        );
        let no_blackout = Counted { blackout: Duration::ZERO, ..COUNTED };
        assert_eq!(orca.weight(&no_blackout, reconnected, at(205)), Some(30.0));
    }
}
