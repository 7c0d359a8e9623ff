//! Prometheus' text format, version 0.0.4.
//!
//! It differs from brpc's `/brpc_metrics` where that is wrong or vague: counts have the type counter, sums
//! are exact, label values are escaped, names of latencies contain the unit, and only latencies are treated
//! as latencies.

use crate::{
    names::normalised,
    registry::{Exposed, PERCENTILES, Show},
    value::Reading,
};
use std::{collections::BTreeMap, fmt::Write as _, sync::Arc, time::Duration};

/// The form in which latencies are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Latencies {
    /// Percentiles over the window.
    Summary,
    /// Cumulative counts since the start, by upper bounds.
    Histogram,
}

/// Upper bounds of a histogram in microseconds: 1, 2, 5 and so on up to ten seconds.
const LIMITS: [u64; 22] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000,
    500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000,
];

/// All series of one name, which the format requires to be together.
struct Family {
    kind: &'static str,
    help: String,
    series: String,
}

/// Families by name.
#[derive(Default)]
struct Families(BTreeMap<String, Family>);

impl Families {
    /// The family of a name, created at its first use. Two variables with one name and different kinds both
    /// get the kind of the first.
    fn family(&mut self, name: &str, kind: &'static str, help: &str) -> &mut String {
        let name = legal(name);
        let family =
            self.0.entry(name).or_insert_with(|| Family { kind, help: help.into(), series: String::new() });
        &mut family.series
    }

    fn one(&mut self, name: &str, labels: &str, kind: &'static str, help: &str, value: &str) {
        let series = self.family(name, kind, help);
        write(series, &legal(name), "", labels, "", value);
    }
}

pub(crate) fn text(exposed: &[Arc<Exposed>], latencies: Latencies) -> String {
    let mut families = Families::default();
    for e in exposed.iter().filter(|e| e.show != Show::Html) {
        let (name, labels, help) = (&e.name[..], &e.labels[..], &e.help[..]);
        match e.variable.read() {
            Reading::Count(n) => families.one(name, labels, "counter", help, &n.to_string()),
            Reading::Level(n) => families.one(name, labels, "gauge", help, &n.to_string()),
            Reading::Real(x) => families.one(name, labels, "gauge", help, &number(x)),
            Reading::Text(_) => {}
            Reading::Latency { window, total } => {
                let whole = format!("{name}_latency_us");
                let metric = legal(&whole);
                let kind = if latencies == Latencies::Summary { "summary" } else { "histogram" };
                let series = families.family(&whole, kind, help);
                match latencies {
                    Latencies::Summary => {
                        for (ratio, _) in PERCENTILES {
                            let quantile = format!("quantile=\"{ratio}\"");
                            write(series, &metric, "", labels, &quantile, &micros(window.percentile(ratio)));
                        }
                    }
                    Latencies::Histogram => {
                        for limit in LIMITS {
                            let n = total.at_most(Duration::from_micros(limit));
                            write(
                                series,
                                &metric,
                                "_bucket",
                                labels,
                                &format!("le=\"{limit}\""),
                                &n.to_string(),
                            );
                        }
                        write(series, &metric, "_bucket", labels, "le=\"+Inf\"", &total.count().to_string());
                    }
                }
                write(series, &metric, "_sum", labels, "", &micros(total.sum()));
                write(series, &metric, "_count", labels, "", &total.count().to_string());
                families.one(&format!("{name}_max_latency_us"), labels, "gauge", help, &micros(window.max()));
                families.one(&format!("{name}_qps"), labels, "gauge", help, &number(window.per_second()));
            }
        }
    }
    let mut text = String::new();
    for (name, Family { kind, help, series }) in families.0 {
        let help =
            if help.is_empty() { name.clone() } else { help.replace('\\', "\\\\").replace('\n', "\\n") };
        // writing to a String does not fail
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{series}");
    }
    text
}

/// One line: `name_suffix{labels,extra} value`.
fn write(to: &mut String, name: &str, suffix: &str, labels: &str, extra: &str, value: &str) {
    let labels = match (labels.strip_suffix('}'), extra) {
        (None, "") => String::new(),
        (None, extra) => format!("{{{extra}}}"),
        (Some(_), "") => labels.to_owned(),
        (Some(open), extra) => format!("{open},{extra}}}"),
    };
    let _ = writeln!(to, "{name}{suffix}{labels} {value}"); // writing to a String does not fail
}

/// `{key="value",...}` with values escaped as the format requires; empty if there are none.
pub(crate) fn labels(labels: &[(String, String)]) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let pairs: Vec<_> =
        labels.iter().map(|(k, v)| format!("{}=\"{}\"", legal(&normalised(k)), escaped(v))).collect();
    if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) }
}

/// A valid name: one that does not begin with a digit.
fn legal(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name.to_owned() }
}

fn number(x: f64) -> String {
    if x.is_nan() {
        "NaN".into()
    } else if x.is_infinite() {
        if x > 0.0 { "+Inf" } else { "-Inf" }.into()
    } else {
        x.to_string()
    }
}

fn micros(duration: Duration) -> String {
    number(duration.as_nanos() as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use crate::{Counter, Gauge, LatencyRecorder, Name, Passive, Reading, Registry};
    use std::time::{Duration, Instant};

    #[test]
    fn kinds_are_told_and_labels_escaped() {
        let (registry, calls, level) = (Registry::new(), Counter::new(), Gauge::new());
        let name = |zone: &str| Name::new("Calls").label("zone", zone).help("calls\nsince \\start");
        registry.expose(name("a\"\\\n"), calls.clone()).expect("free");
        registry.expose(name("b"), Counter::new()).expect("free");
        registry.expose("2xx", level.clone()).expect("free");
        registry.expose("odd", Passive::new(|| Reading::Real(f64::INFINITY))).expect("free");
        registry.expose("version", "1.0").expect("free");
        calls.add(3);
        level.set(-4);
        let expected = "# HELP _2xx _2xx\n# TYPE _2xx gauge\n_2xx -4\n\
            # HELP calls calls\\nsince \\\\start\n# TYPE calls counter\n\
            calls{zone=\"a\\\"\\\\\\n\"} 3\ncalls{zone=\"b\"} 0\n\
            # HELP odd odd\n# TYPE odd gauge\nodd +Inf\n";
        assert_eq!(registry.prometheus(), expected);
    }

    fn recorded() -> Registry {
        let (registry, echo, start) = (Registry::new(), LatencyRecorder::new(), Instant::now());
        registry.expose(Name::new("echo_latency").label("zone", "a"), echo.clone()).expect("free");
        registry.tick(start);
        [1, 3, 60].iter().for_each(|&us| echo.record(Duration::from_micros(us)));
        registry.tick(start + Duration::from_secs(2));
        registry
    }

    #[test]
    fn a_latency_is_a_summary_with_an_exact_sum() {
        let text = recorded().prometheus();
        for line in [
            "# TYPE echo_latency_us summary",
            "echo_latency_us{zone=\"a\",quantile=\"0.9999\"} 60",
            "echo_latency_us_sum{zone=\"a\"} 64",
            "echo_latency_us_count{zone=\"a\"} 3",
            "echo_max_latency_us{zone=\"a\"} 60",
            "echo_qps{zone=\"a\"} 1.5",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn a_latency_can_be_a_histogram_of_cumulative_counts() {
        let text = recorded().prometheus_histograms();
        for line in [
            "# TYPE echo_latency_us histogram",
            "echo_latency_us_bucket{zone=\"a\",le=\"2\"} 1",
            "echo_latency_us_bucket{zone=\"a\",le=\"5\"} 2",
            "echo_latency_us_bucket{zone=\"a\",le=\"100\"} 3",
            "echo_latency_us_bucket{zone=\"a\",le=\"+Inf\"} 3",
            "echo_latency_us_count{zone=\"a\"} 3",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
        }
    }
}
