//! Families of metrics in the protobuf messages of OTLP, written field by field.
//!
//! Source: open-telemetry/opentelemetry-proto v1, `metrics/v1/metrics.proto`; names and units:
//!         OpenTelemetry's "Prometheus and OpenMetrics Compatibility".
//!
//! ```text
//! Metric: name 1, description 2, unit 3, and one of gauge 5, sum 7, histogram 9, summary 11
//!   Gauge: points 1      Sum: points 1, temporality 2, is_monotonic 3      Histogram: points 1, temporality 2      Summary: points 1
//! points: start 2, time 3 (fixed64, ns), and
//!   NumberDataPoint: as_double 4, as_int 6 (sfixed64), attributes 7
//!   HistogramDataPoint: count 4 (fixed64), sum 5 (double), bucket_counts 6 (fixed64), explicit_bounds 7 (double), exemplars 8, attributes 9
//!   SummaryDataPoint: count 4 (fixed64), sum 5 (double), attributes 7
//! Exemplar: time 2 (fixed64), as_double 3, trace_id 5, filtered_attributes 7
//! ```

use crate::fields::{bytes, double, fixed64, message, packed64, text_attribute, varint};
use polywire_metrics::{Distribution, Exemplar, Family, Kind, Scale, Series, Value};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Marks values that count from the start of the process, and do not restart with each export.
const CUMULATIVE: u64 = 2;
/// The maximum number of points of a `Metric`; a family with more becomes several metrics, so that requests
/// can be divided.
const MOST_POINTS: usize = 256;

/// The `Metric` messages of a family. `times`: the beginning of counting, and now, in nanoseconds since 1970.
pub(super) fn metrics(family: &Family, times: (u64, u64)) -> Vec<Vec<u8>> {
    family.series.chunks(MOST_POINTS).map(|series| metric(family, series, times)).collect()
}

fn metric(family: &Family, series: &[Series], times: (u64, u64)) -> Vec<u8> {
    // OpenTelemetry's names have no `_total`: that is what Prometheus adds to sums.
    let name = family.name.strip_suffix("_total").unwrap_or(&family.name);
    let unit = [("_seconds", "s"), ("_bytes", "By")].into_iter().find(|(suffix, _)| name.ends_with(suffix));
    let name = if family.otel.is_empty() { name } else { &family.otel };
    let mut metric = Vec::new();
    bytes(&mut metric, 1, name.as_bytes());
    bytes(&mut metric, 2, family.help.as_bytes());
    let unit = unit.map_or(family.unit, |(_, unit)| unit);
    if !unit.is_empty() {
        bytes(&mut metric, 3, unit.as_bytes());
    }
    let (field, is_cumulative) = match family.kind {
        Kind::Gauge => (5, false),
        Kind::Counter => (7, true),
        Kind::Histogram(_) => (9, true),
        Kind::Summary => (11, false),
    };
    message(&mut metric, field, |data| {
        series.iter().for_each(|series| message(data, 1, |to| point(to, series, times)));
        if is_cumulative {
            varint(data, 2, CUMULATIVE);
        }
        if family.kind == Kind::Counter {
            varint(data, 3, 1); // only grows
        }
    });
    metric
}

fn point(to: &mut Vec<u8>, series: &Series, (start, now): (u64, u64)) {
    fixed64(to, 2, start);
    fixed64(to, 3, now);
    let attributes = if matches!(series.value, Value::Histogram { .. }) { 9 } else { 7 };
    series.labels.iter().for_each(|(key, value)| text_attribute(to, attributes, key, value));
    match &series.value {
        Value::Counter(count) => fixed64(to, 6, *count),
        Value::Seconds(x) | Value::Gauge(x) => double(to, 4, *x),
        Value::Summary { sum, count } => {
            fixed64(to, 4, *count);
            double(to, 5, *sum);
        }
        Value::Histogram { counts, scale, exemplars } => histogram(to, counts, scale, exemplars),
        _ => {} // a kind that this version does not know: a point without a value
    }
}

fn histogram(to: &mut Vec<u8>, counts: &Distribution, scale: &Scale, exemplars: &[Exemplar]) {
    // Up to each bound, and at last all.
    let bounds = scale.bounds.iter().map(|bound| counts.at_most(Duration::from_nanos(*bound)));
    let up_to = bounds.chain([counts.count()]);
    let in_each = up_to.scan(0, |before, count| Some(count - std::mem::replace(before, count)));
    fixed64(to, 4, counts.count());
    double(to, 5, scale.unit.value(u64::try_from(counts.sum().as_nanos()).unwrap_or(u64::MAX)));
    packed64(to, 6, in_each);
    packed64(to, 7, scale.bounds.iter().map(|bound| scale.unit.value(*bound).to_bits()));
    exemplars.iter().for_each(|exemplar| message(to, 8, |to| example(to, exemplar)));
}

fn example(to: &mut Vec<u8>, exemplar: &Exemplar) {
    fixed64(to, 2, nanos(exemplar.at));
    double(to, 3, exemplar.duration.as_secs_f64());
    for (key, value) in &exemplar.labels {
        match u128::from_str_radix(value, 16) {
            Ok(trace) if key == "trace_id" && value.len() == 32 => bytes(to, 5, &trace.to_be_bytes()),
            _ => text_attribute(to, 7, key, value),
        }
    }
}

/// The time since 1970 in nanoseconds.
pub(super) fn nanos(at: SystemTime) -> u64 {
    at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}
