//! The buckets of exported histograms.
//!
//! A recorder has much finer buckets of its own, from which any of these are added up when it is read.
//!
//! Source: OpenTelemetry's semantic conventions for RPC metrics (5 ms to 10 s); gRFC A66 and A96.

/// The unit of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Seconds, recorded in nanoseconds.
    Seconds,
    Bytes,
    /// A number of events.
    Number,
}

/// The buckets of an exported histogram, and its unit.
#[derive(PartialEq, Eq, Debug)]
pub struct Scale {
    pub unit: Unit,
    /// Upper bounds, ascending, in recorded units: nanoseconds where the unit is seconds. Another bucket
    /// counts larger values.
    pub bounds: &'static [u64],
}

impl Unit {
    /// A number that was recorded, in this unit.
    pub fn value(self, recorded: u64) -> f64 {
        match self {
            Unit::Seconds => recorded as f64 / 1e9,
            Unit::Bytes | Unit::Number => recorded as f64,
        }
    }
}

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
const S: u64 = 1_000_000_000;

/// OpenTelemetry's from 5 ms on, so that queries by a bound find it. Calls here take microseconds, which
/// would all be in their first bucket: below it are 1, 2 and 5 us and so on.
pub(crate) const BOUNDS: [u64; 25] = [
    US,
    2 * US,
    5 * US,
    10 * US,
    20 * US,
    50 * US,
    100 * US,
    200 * US,
    500 * US,
    MS,
    2 * MS,
    5 * MS,
    10 * MS,
    25 * MS,
    50 * MS,
    75 * MS,
    100 * MS,
    250 * MS,
    500 * MS,
    750 * MS,
    S,
    2_500 * MS,
    5 * S,
    7_500 * MS,
    10 * S,
];

#[rustfmt::skip]
const GRPC_LATENCY: [u64; 41] = [
    0, 10 * US, 50 * US, 100 * US, 300 * US, 600 * US, 800 * US, MS, 2 * MS, 3 * MS, 4 * MS, 5 * MS, 6 * MS, 8 * MS,
    10 * MS, 13 * MS, 16 * MS, 20 * MS, 25 * MS, 30 * MS, 40 * MS, 50 * MS, 65 * MS, 80 * MS, 100 * MS, 130 * MS,
    160 * MS, 200 * MS, 250 * MS, 300 * MS, 400 * MS, 500 * MS, 650 * MS, 800 * MS, S, 2 * S, 5 * S, 10 * S, 20 * S,
    50 * S, 100 * S,
];

const GRPC_SIZE: [u64; 14] = {
    let (mut bounds, mut k) = ([0, 1 << 10, 2 << 10, 4 << 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 4);
    while k < 14 {
        bounds[k] = 4 * bounds[k - 1];
        k += 1;
    }
    bounds
};

impl Scale {
    /// Latencies: 1, 2 and 5 us and so on up to 2 ms, then OpenTelemetry's bounds from 5 ms to 10 s.
    pub const LATENCY: Scale = Scale { unit: Unit::Seconds, bounds: &BOUNDS };
    /// Latencies in gRPC's own metrics.
    pub const GRPC_LATENCY: Scale = Scale { unit: Unit::Seconds, bounds: &GRPC_LATENCY };
    /// Bytes in gRPC's own metrics.
    pub const GRPC_SIZE: Scale = Scale { unit: Unit::Bytes, bounds: &GRPC_SIZE };
    /// Retries of one call that no server had processed, in gRPC's own metrics.
    pub const GRPC_TRANSPARENT_RETRIES: Scale = Scale { unit: Unit::Number, bounds: &[1, 2, 3, 4, 5, 10] };
    /// Retries and hedges of one call in gRPC's own metrics.
    pub const GRPC_RETRIES: Scale = Scale { unit: Unit::Number, bounds: &[1, 2, 3, 4, 5] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_ascend_and_end_where_their_sources_say() {
        for scale in [Scale::LATENCY, Scale::GRPC_LATENCY, Scale::GRPC_SIZE, Scale::GRPC_RETRIES] {
            assert!(scale.bounds.is_sorted_by(|a, b| a < b), "{scale:?}");
        }
        let seconds =
            |scale: Scale| -> Vec<f64> { scale.bounds.iter().map(|b| scale.unit.value(*b)).collect() };
        let convention = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];
        assert_eq!(seconds(Scale::LATENCY)[11..], convention);
        assert_eq!(seconds(Scale::GRPC_LATENCY)[..4], [0.0, 0.00001, 0.00005, 0.0001]);
        assert_eq!(seconds(Scale::GRPC_LATENCY).last(), Some(&100.0));
        assert_eq!(Scale::GRPC_SIZE.bounds[3..5], [4096, 16384]);
        assert_eq!(Scale::GRPC_SIZE.bounds.last(), Some(&4_294_967_296));
    }
}
