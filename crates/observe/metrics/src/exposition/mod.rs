//! The metrics of a registry, for systems that collect metrics.

pub(crate) mod brpc;
pub(crate) mod prometheus;
pub mod scale;

use crate::{
    Distribution, Exemplar,
    registry::{exposed::Exposed, name::Metric},
    variables::{Labels, Reading},
};
use scale::{Scale, Unit};
use std::{collections::BTreeMap, sync::Arc};

/// The kind of a metric, which decides the suffix of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A value that only grows; its name ends in `_total`.
    Counter,
    Gauge,
    /// Suffix `_seconds`, `_bytes`, or none for other numbers.
    Histogram(Unit),
    /// A sum and how many there were.
    Summary,
}

impl Kind {
    /// The kind of a reading; `None` for texts.
    pub(crate) fn of(reading: &Reading) -> Option<Kind> {
        match reading {
            Reading::Count(_) | Reading::Seconds(_) => Some(Kind::Counter),
            Reading::Level(_) | Reading::Real(_) => Some(Kind::Gauge),
            Reading::Latency { .. } => Some(Kind::Histogram(Unit::Seconds)),
            Reading::Histogram { scale, .. } => Some(Kind::Histogram(scale.unit)),
            Reading::Average { .. } => Some(Kind::Summary),
            Reading::Text(_) => None,
            Reading::Labelled(series) => Kind::of(&series.first()?.1),
        }
    }

    /// The suffix of names of this kind.
    fn suffix(self) -> &'static str {
        match self {
            Kind::Counter => "_total",
            Kind::Histogram(Unit::Seconds) => "_seconds",
            Kind::Histogram(Unit::Bytes) => "_bytes",
            Kind::Histogram(Unit::Number) | Kind::Gauge | Kind::Summary => "",
        }
    }

    /// The metric's name in the formats for its full name: OpenMetrics names counters without the suffix of
    /// their samples, and histograms and summaries have several samples.
    pub(crate) fn names(self, name: &str) -> Vec<String> {
        let more: &[&str] = match self {
            Kind::Counter => {
                return vec![name.to_owned(), name.strip_suffix("_total").unwrap_or(name).to_owned()];
            }
            Kind::Gauge => &[],
            Kind::Histogram(_) => &["_bucket", "_sum", "_count"],
            Kind::Summary => &["_sum", "_count"],
        };
        std::iter::once("").chain(more.iter().copied()).map(|suffix| format!("{name}{suffix}")).collect()
    }

    /// Whether a name consists only of the suffix of its kind.
    pub(crate) fn is_only_suffix(self, name: &str) -> bool {
        name.strip_suffix(self.suffix()).unwrap_or(name).trim_matches('_').is_empty()
    }

    /// The name with the suffix of its kind.
    pub(crate) fn full_name(self, name: &str) -> String {
        let suffix = self.suffix();
        // A name does not begin with a digit.
        let digit = if name.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        format!("{digit}{}{suffix}", name.strip_suffix(suffix).unwrap_or(name))
    }
}

/// The metrics of one name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Family {
    /// The name with the suffix of its kind.
    pub name: String,
    /// OpenTelemetry's name of the metric, without unit and kind; empty: the same as Prometheus' name.
    pub otel: String,
    /// OpenTelemetry's unit, if it differs from that in the name: `{call}`.
    pub unit: &'static str,
    pub kind: Kind,
    /// A description in one line; may be empty.
    pub help: String,
    pub series: Vec<Series>,
}

/// One series of a metric, i.e. one set of label values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Series {
    pub labels: Labels,
    pub value: Value,
}

/// The value of a metric.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    Counter(u64),
    /// A counter of seconds.
    Seconds(f64),
    Gauge(f64),
    /// A histogram since the start.
    Histogram {
        counts: Box<Distribution>,
        scale: &'static Scale,
        /// Shortest first, at most one for each bucket of [`Scale::LATENCY`].
        exemplars: Vec<Exemplar>,
    },
    Summary {
        sum: f64,
        count: u64,
    },
}

/// The metric of a variable that declares none.
pub(crate) fn derived(name: &str, labels: &Labels, help: String, reading: &Reading) -> Metric {
    let name = match Kind::of(reading) {
        Some(Kind::Histogram(_)) => format!("{name}_latency"),
        _ => name.to_owned(),
    };
    Metric { name, labels: labels.clone(), help, ..Metric::default() }
}

/// The metrics by name; series with the same name are together.
pub(crate) fn families(exposed: &[Arc<Exposed>]) -> Vec<Family> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for exposed in exposed {
        let (Some(metric), reading) = (&exposed.metric, exposed.read()) else { continue };
        let Some(kind) = Kind::of(&reading) else { continue };
        let family = families.entry(metric.name.clone()).or_insert_with(|| Family {
            name: metric.name.clone(),
            otel: metric.otel.clone(),
            unit: metric.unit,
            kind,
            help: String::new(),
            series: Vec::new(),
        });
        if family.help.is_empty() {
            family.help.clone_from(&metric.help);
        }
        add(&mut family.series, metric.labels.clone(), reading);
    }
    families.into_values().collect()
}

fn add(to: &mut Vec<Series>, labels: Labels, reading: Reading) {
    let value = match reading {
        Reading::Count(n) => Value::Counter(n),
        Reading::Seconds(x) => Value::Seconds(x),
        Reading::Level(n) => Value::Gauge(n as f64),
        Reading::Real(x) => Value::Gauge(x),
        Reading::Latency { total, exemplars, .. } => {
            Value::Histogram { counts: total, scale: &Scale::LATENCY, exemplars }
        }
        Reading::Histogram { total, scale, exemplars } => {
            Value::Histogram { counts: total, scale, exemplars }
        }
        Reading::Average { sum, count } => Value::Summary { sum: sum as f64, count },
        Reading::Text(_) => return,
        Reading::Labelled(series) => {
            return series
                .into_iter()
                .for_each(|(more, reading)| add(to, [&labels[..], &more].concat(), reading));
        }
    };
    to.push(Series { labels, value });
}
