//! Prometheus' text format, version 0.0.4, and OpenMetrics 1.0, its successor.
//!
//! It differs from brpc's `/brpc_metrics` ([`super::brpc`]) where that is wrong or vague: counts have the
//! type counter, sums are exact, label values are escaped, names of latencies contain the unit, and only
//! latencies are treated as latencies.

use super::{Family, Kind, Value};
use crate::{Exemplar, registry::vars};
use std::{
    borrow::Cow,
    fmt::Write as _,
    time::{Duration, UNIX_EPOCH},
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    OpenMetrics,
}

pub(crate) fn text(families: &[Family], format: Format) -> String {
    let mut text = String::new();
    families.iter().for_each(|family| write_family(&mut text, family, format));
    if format == Format::OpenMetrics {
        text.push_str("# EOF\n");
    }
    text
}

// Writing to a String does not fail, so that results of `write!` are left aside here.

fn write_family(text: &mut String, family: &Family, format: Format) {
    let Family { name, kind, help, series, .. } = family;
    let open = format == Format::OpenMetrics;
    // OpenMetrics names a counter without the suffix of its sample.
    let head =
        if open && *kind == Kind::Counter { name.strip_suffix("_total").unwrap_or(name) } else { name };
    let kind = match kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::Histogram(_) => "histogram",
        Kind::Summary => "summary",
    };
    if !help.is_empty() {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        let help = if open { help.replace('"', "\\\"") } else { help };
        let _ = writeln!(text, "# HELP {head} {help}");
    }
    let _ = writeln!(text, "# TYPE {head} {kind}");
    if open
        && let Some(unit) = ["seconds", "bytes"].into_iter().find(|unit| head.ends_with(&format!("_{unit}")))
    {
        let _ = writeln!(text, "# UNIT {head} {unit}");
    }
    for series in series {
        let labels = &vars::labels(&series.labels);
        match &series.value {
            Value::Counter(n) => line(text, name, "", labels, None, n),
            Value::Gauge(x) | Value::Seconds(x) => line(text, name, "", labels, None, &number(*x)),
            Value::Summary { sum, count } => {
                line(text, name, "_sum", labels, None, &number(*sum));
                line(text, name, "_count", labels, None, count);
            }
            Value::Histogram { counts, scale, exemplars } => {
                let mut exemplars = exemplars.iter().filter(|_| open).peekable(); // the text format has none
                for bound in scale.bounds {
                    let le = scale.unit.value(*bound);
                    let le = if open && le.fract() == 0.0 { format!("{le}.0") } else { le.to_string() };
                    let bound = Duration::from_nanos(*bound);
                    // The last one, where several of finer buckets are in this one.
                    let within = std::iter::from_fn(|| exemplars.next_if(|one| one.duration <= bound));
                    let exemplar = within.last().map(written);
                    let value = format!("{}{}", counts.at_most(bound), exemplar.unwrap_or_default());
                    line(text, name, "_bucket", labels, Some(&le), &value);
                }
                let exemplar = exemplars.last().map(written).unwrap_or_default();
                line(text, name, "_bucket", labels, Some("+Inf"), &format!("{}{exemplar}", counts.count()));
                line(text, name, "_sum", labels, None, &number(scale.unit.value(counts.sum_nanos())));
                line(text, name, "_count", labels, None, &counts.count());
            }
        }
    }
}

/// Writes one line: `name_suffix{labels,le="..."} value`. `labels`: as [`vars_labels`] writes them.
fn line(
    text: &mut String,
    name: &str,
    suffix: &str,
    labels: &str,
    le: Option<&str>,
    value: &dyn std::fmt::Display,
) {
    let labels = match (le, labels.strip_suffix('}')) {
        (None, _) => Cow::Borrowed(labels),
        (Some(le), None) => format!("{{le=\"{le}\"}}").into(),
        (Some(le), Some(open)) => format!("{open},le=\"{le}\"}}").into(),
    };
    let _ = writeln!(text, "{name}{suffix}{labels} {value}");
}

/// The exemplar after the value of a bucket: ` # {labels} seconds time`.
fn written(exemplar: &Exemplar) -> String {
    let Exemplar { labels, duration, at } = exemplar;
    let labels = if labels.is_empty() { "{}".into() } else { vars::labels(labels) };
    let at = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    format!(" # {labels} {} {}.{:03}", duration.as_secs_f64(), at.as_secs(), at.subsec_millis())
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

#[cfg(test)]
mod tests {
    use crate::{
        AverageRecorder, Counter, ExposeError, Gauge, Labelled, LatencyRecorder, Metric, Name, Passive,
        Reading, Registry, Show,
    };
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn kinds_are_told_and_labels_escaped() {
        let (registry, calls, level, sizes) =
            (Registry::new(), Counter::new(), Gauge::new(), AverageRecorder::new());
        let name = |zone: &str| Name::new("Calls").label("zone", zone).help("calls\nsince \\start");
        registry.expose(name("a\"\\\n"), calls.clone()).expect("free");
        registry.expose(name("b"), Counter::new()).expect("free");
        registry.expose("2xx", level.clone()).expect("free");
        registry.expose("odd", Passive::new(|| Reading::Real(f64::INFINITY))).expect("free");
        registry.expose(Name::new("size_bytes").help("\"big\""), sizes.clone()).expect("free");
        registry.expose("version", "1.0").expect("free");
        calls.add(3);
        level.set(-4);
        [1, 2].iter().for_each(|&n| sizes.record(n));
        let expected = "# TYPE _2xx gauge\n_2xx -4\n\
            # HELP calls_total calls\\nsince \\\\start\n# TYPE calls_total counter\n\
            calls_total{zone=\"a\\\"\\\\\\n\"} 3\ncalls_total{zone=\"b\"} 0\n\
            # TYPE odd gauge\nodd +Inf\n\
            # HELP size_bytes \"big\"\n# TYPE size_bytes summary\nsize_bytes_sum 3\nsize_bytes_count 2\n";
        assert_eq!(registry.prometheus(), expected);
        let open = expected
            .replace("HELP calls_total", "HELP calls")
            .replace("TYPE calls_total", "TYPE calls")
            .replace("\"big\"", "\\\"big\\\"")
            .replace("size_bytes summary\n", "size_bytes summary\n# UNIT size_bytes bytes\n");
        assert_eq!(registry.openmetrics(), format!("{open}# EOF\n"));
    }

    #[test]
    fn a_latency_is_a_histogram_of_cumulative_counts_in_seconds() {
        let (registry, echo) = (Registry::new(), LatencyRecorder::new());
        registry.expose(Name::new("echo_latency").label("zone", "a"), echo.clone()).expect("free");
        [1, 3, 60, 3_000_000].iter().for_each(|&us| echo.record(Duration::from_micros(us)));
        for (text, bound) in [(registry.prometheus(), "5"), (registry.openmetrics(), "5.0")] {
            for line in [
                "# TYPE echo_latency_seconds histogram",
                "echo_latency_seconds_bucket{zone=\"a\",le=\"0.000002\"} 1",
                "echo_latency_seconds_bucket{zone=\"a\",le=\"0.000005\"} 2",
                "echo_latency_seconds_bucket{zone=\"a\",le=\"0.0001\"} 3",
                &format!("echo_latency_seconds_bucket{{zone=\"a\",le=\"{bound}\"}} 4"),
                "echo_latency_seconds_bucket{zone=\"a\",le=\"+Inf\"} 4",
                "echo_latency_seconds_sum{zone=\"a\"} 3.000064",
                "echo_latency_seconds_count{zone=\"a\"} 4",
            ] {
                assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
            }
        }
    }

    #[test]
    fn exemplars_are_at_their_buckets_in_openmetrics_alone() {
        let (registry, echo) = (Registry::new(), LatencyRecorder::new());
        registry.expose("echo_latency", echo.clone()).expect("free");
        let (us, at) = (Duration::from_micros, UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
        for (took, trace) in [(3, "old"), (4, "c"), (30_000_000, "d")] {
            echo.record(us(took));
            echo.keep_exemplar(us(took), at, [("trace_id", trace)]);
        }
        echo.keep_exemplar(us(1), at, [("trace_id", "x".repeat(121))]); // 129 characters with the name
        let longest = "\u{e9}".repeat(120);
        echo.keep_exemplar(us(100), at, [("trace_id", &longest)]);
        let open = registry.openmetrics();
        let with_exemplar: Vec<_> = open.lines().filter(|line| line.contains(" # ")).collect();
        let bucket = "echo_latency_seconds_bucket";
        let expected = [
            format!("{bucket}{{le=\"0.000005\"}} 2 # {{trace_id=\"c\"}} 0.000004 1700000000.123"),
            format!("{bucket}{{le=\"0.0001\"}} 2 # {{trace_id=\"{longest}\"}} 0.0001 1700000000.123"),
            format!("{bucket}{{le=\"+Inf\"}} 3 # {{trace_id=\"d\"}} 30 1700000000.123"),
        ];
        assert_eq!(with_exemplar, expected);
        assert!(!registry.prometheus().contains(" # "));
        echo.keep_exemplar(us(1), at, [("trace_id", "a\"b")]);
        assert!(registry.openmetrics().contains("{le=\"0.000001\"} 0 # {trace_id=\"a\\\"b\"} 0.000001 "));
    }

    #[test]
    fn a_metric_has_a_name_and_labels_of_its_own() {
        let (registry, calls) = (Registry::new(), Labelled::new(["code"], Counter::new));
        let metric = |method: &str| Metric::new("server_calls", "Calls.").label("method", method);
        registry.expose(Name::new("echo_calls").metric(metric("Echo")), calls.clone()).expect("free");
        registry.expose(Name::new("ping_calls").metric(metric("Ping")), Counter::new()).expect("free");
        registry
            .expose(Name::of_metric(Metric::new("up", "Whether it runs.")), Passive::new(|| true.into()))
            .expect("free");
        registry.expose(Name::new("pid").show(Show::Vars), Passive::new(|| 7.into())).expect("free");
        calls.with(["0"]).add(2);
        assert_eq!(
            registry.prometheus(),
            "# HELP server_calls_total Calls.\n# TYPE server_calls_total counter\n\
            server_calls_total{method=\"Echo\",code=\"0\"} 2\nserver_calls_total{method=\"Ping\"} 0\n\
            # HELP up Whether it runs.\n# TYPE up gauge\nup 1\n"
        );
        assert_eq!(registry.vars(""), "echo_calls{code=\"0\"} : 2\r\npid : 7\r\nping_calls : 0\r\n");
        assert!(
            registry.hide(Name::of_metric(Metric::new("up", ""))) && !registry.prometheus().contains("up")
        );
    }

    #[test]
    fn metrics_that_prometheus_would_refuse_are_refused() {
        let registry = Registry::new();
        let named = |name: &str, metric: &str| Name::new(name).metric(Metric::new(metric, "A metric."));
        registry.expose(named("a", "calls_total"), Counter::new()).expect("free");
        assert_eq!(
            registry.expose(named("b", "calls"), Counter::new()),
            Err(ExposeError::Taken("calls_total".into()))
        );
        assert_eq!(
            registry.expose(named("c", "calls_total"), Gauge::new()),
            Err(ExposeError::Kind("calls_total".into()))
        );
        // Names that are the same in one of the formats only.
        registry.expose(named("f", "size_bytes"), AverageRecorder::new()).expect("free");
        registry.expose(named("g", "echo_seconds"), LatencyRecorder::new()).expect("free");
        for (metric, other) in [
            ("calls", "calls_total"),
            ("size_bytes_count", "size_bytes"),
            ("echo_seconds_bucket", "echo_seconds"),
            ("echo_seconds", "echo_seconds"),
        ] {
            assert_eq!(
                registry.expose(named("h", metric), Gauge::new()),
                Err(ExposeError::Kind(other.into()))
            );
        }
        // OpenMetrics would have no name for a counter that is called so.
        for (name, counter) in [("_total", true), ("t", true), ("__", false)] {
            let metric = if name == "t" { "_total" } else { name };
            let named = if name == "t" { named(name, metric) } else { Name::new(name) };
            let refused = match counter {
                true => registry.expose(named, Counter::new()),
                false => registry.expose(named, Gauge::new()),
            };
            assert_eq!(refused, Err(ExposeError::Empty), "{name}");
        }
        for key in ["le", "quantile", "", "2xx"] {
            assert!(matches!(
                registry.expose(Name::new("d").label(key, "1"), Gauge::new()),
                Err(ExposeError::Label(_))
            ));
        }
        assert!(registry.hide("a") && registry.hide("f") && registry.hide("g"));
        registry.expose(named("c", "calls"), Gauge::new()).expect("free again");
        assert_eq!(registry.vars(""), "c : 0\r\n", "what was refused is not half there");
    }
}
