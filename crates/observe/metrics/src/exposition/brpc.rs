//! The text of brpc's `/brpc_metrics`, for dashboards made for it: the names and units of `/vars`.
//!
//! Latencies of a server's methods are summaries with the quantiles of the window, and the mean as
//! `quantile="avg"`; all other variables are gauges, including counts and the lines of other latencies. Texts
//! are left out.
//!
//! Source: brpc 1.17's page of this name. Sums are exact here, where brpc multiplies mean and number.

use crate::{
    Distribution,
    registry::{exposed::Exposed, vars},
    variables::{Labels, Reading},
};
use std::{collections::HashSet, fmt::Write as _, time::Duration};

/// Only latencies whose names have this prefix are summaries.
const SUMMARIES: &str = "rpc_server";

/// The quantiles of a summary, as brpc writes them. The longest is 1.
const QUANTILES: [(f64, &str); 5] =
    [(0.8, "0.8"), (0.9, "0.9"), (0.99, "0.99"), (0.999, "0.999"), (0.9999, "0.9999")];

// Writing to a String does not fail, so that results of `write!` are left aside here.

pub(crate) fn text<'e>(exposed: impl Iterator<Item = &'e Exposed>) -> String {
    let (mut text, mut told) = (String::new(), HashSet::new());
    for one in exposed.filter(|one| one.is_in_vars()) {
        let reading = one.read();
        if one.name().starts_with(SUMMARIES)
            && let Reading::Latency { window, total, .. } = &reading
        {
            head(&mut text, &mut told, one.name(), "summary");
            summary(&mut text, one.name(), one.labels(), window, total);
        }
        let is_in_summary = |line: &str| {
            let of = line.strip_prefix(one.name()).unwrap_or(line);
            let bare = of.split('{').next().unwrap_or(of);
            matches!(reading, Reading::Latency { .. }) && one.name().starts_with(SUMMARIES) && bare != "_qps"
        };
        for (line, value) in one.lines_of(&reading) {
            if is_in_summary(&line) || value.parse::<f64>().is_err() {
                continue;
            }
            head(&mut text, &mut told, line.split('{').next().unwrap_or(&line), "gauge");
            let _ = writeln!(text, "{line} {value}");
        }
    }
    text
}

/// Writes the head of a name, only once for each name.
fn head(text: &mut String, told: &mut HashSet<String>, name: &str, kind: &str) {
    if told.insert(name.to_owned()) {
        let _ = writeln!(text, "# HELP {name}\n# TYPE {name} {kind}");
    }
}

fn summary(text: &mut String, name: &str, of: &Labels, window: &Distribution, total: &Distribution) {
    let micros = |time: Duration| (time.as_nanos() + 500) / 1000;
    let mut quantile = |which: &str, time: Duration| {
        let with = [&of[..], &[("quantile".to_owned(), which.to_owned())]].concat();
        let _ = writeln!(text, "{name}{} {}", vars::labels(&with), micros(time));
    };
    QUANTILES.iter().for_each(|(ratio, which)| quantile(which, window.percentile(*ratio)));
    quantile("1", window.max());
    quantile("avg", window.mean());
    let labels = vars::labels(of);
    let _ = writeln!(text, "{name}_sum{labels} {}", micros(total.sum()));
    let _ = writeln!(text, "{name}_count{labels} {}", total.count());
}

#[cfg(test)]
mod tests {
    use crate::{Counter, LatencyRecorder, Metric, Name, Passive, Reading, Registry, Show};
    use std::time::{Duration, Instant};

    /// The lines of a brpc 1.17 server for a method that was called once, in 7 us, with other values.
    #[test]
    fn methods_are_summaries_and_all_else_is_a_gauge() {
        let (registry, get, own, start) =
            (Registry::new(), LatencyRecorder::new(), LatencyRecorder::new(), Instant::now());
        let shop = "rpc_server_9001_shop_inventory_get";
        registry.expose(shop, get.clone()).expect("free");
        registry.expose("rpc_server_9001_shop_inventory_get_error", Counter::new()).expect("free");
        registry.expose("own_latency", own).expect("free");
        registry.expose(Name::new("calls").label("of", "a"), Counter::new()).expect("free");
        registry.expose(Name::new("calls").label("of", "b"), Counter::new()).expect("free");
        registry.expose("version", "1.0").expect("free");
        registry.expose("odd", Passive::new(|| Reading::Real(0.5))).expect("free");
        registry.expose(Name::of_metric(Metric::new("up", "")), Counter::new()).expect("free");
        registry.expose(Name::new("seen").show(Show::Html), Counter::new()).expect("free");
        registry.tick(start);
        get.record(Duration::from_micros(7));
        registry.tick(start + Duration::from_secs(1));
        let text = registry.brpc_metrics();
        let expected = "\
            # HELP calls\n# TYPE calls gauge\ncalls{of=\"a\"} 0\ncalls{of=\"b\"} 0\n\
            # HELP odd\n# TYPE odd gauge\nodd 0.5\n\
            # HELP own_latency\n# TYPE own_latency gauge\nown_latency 0\n";
        assert!(text.starts_with(expected), "{text}");
        let expected = format!(
            "# HELP {shop}\n# TYPE {shop} summary\n\
            {shop}{{quantile=\"0.8\"}} 7\n{shop}{{quantile=\"0.9\"}} 7\n{shop}{{quantile=\"0.99\"}} 7\n\
            {shop}{{quantile=\"0.999\"}} 7\n{shop}{{quantile=\"0.9999\"}} 7\n{shop}{{quantile=\"1\"}} 7\n\
            {shop}{{quantile=\"avg\"}} 7\n{shop}_sum 7\n{shop}_count 1\n\
            # HELP {shop}_qps\n# TYPE {shop}_qps gauge\n{shop}_qps 1\n\
            # HELP {shop}_error\n# TYPE {shop}_error gauge\n{shop}_error 0\n"
        );
        assert!(text.ends_with(&expected), "{text}");
        for absent in ["version", "up", "seen", "_latency_80{"] {
            assert!(!text.contains(absent), "{absent} in\n{text}");
        }
    }
}
