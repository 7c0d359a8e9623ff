//! ghz: its command line, and its summary read back.

use std::path::{Path, PathBuf};

use crate::figures::Sample;

/// The proto with the method that ghz calls.
const PROTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/cli/proto/helloworld.proto");

/// The one that `interop/install` installs, if it is there; else the one on the path.
pub fn program() -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../interop/.go/bin/ghz");
    if installed.is_file() { installed } else { "ghz".into() }
}

/// Greetings from ten callers over ten connections; `how_many` is `-n N` or `-z TIME`.
pub fn greetings(server: &str, how_many: [String; 2]) -> Vec<String> {
    let mut command = vec![program().display().to_string()];
    command
        .extend(["--insecure", "--proto", PROTO, "--call", "helloworld.Greeter.SayHello"].map(String::from));
    command.extend(["-d", "{\"name\":\"x\"}", "--connections=10", "--concurrency=10"].map(String::from));
    command.extend(how_many);
    command.push(server.to_owned());
    command
}

/// The sample and the number of calls that were answered with OK, from the text that ghz prints.
pub fn read(summary: &str) -> Option<(Sample, u64)> {
    let after = |name: &str| summary.lines().find_map(|line| line.trim().strip_prefix(name));
    // With the word behind it: bars of the histogram begin with a number, too.
    let at = |percent: u8| micros(after(&format!("{percent} % in "))?);
    let calls: u64 = after("Count:")?.trim().parse().ok()?;
    let good: u64 = match after("[OK]") {
        Some(rest) => rest.split_whitespace().next()?.parse().ok()?,
        None => 0,
    };
    let sample = Sample {
        value: after("Requests/sec:")?.trim().parse().ok()?,
        errors: calls.saturating_sub(good),
        avg_us: micros(after("Average:")?),
        p50_us: at(50),
        p95_us: at(95),
        p99_us: at(99),
        ..Sample::default()
    };
    Some((sample, good))
}

/// `1.65 ms` in microseconds.
fn micros(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    let factor = match unit {
        "ns" => 1e-3,
        "us" | "µs" => 1.0,
        "ms" => 1e3,
        "s" => 1e6,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_read() {
        // What ghz 0.120 printed, with one bar of its histogram.
        let summary = "\nSummary:\n  Count:\t2000\n  Total:\t404.73 ms\n  Slowest:\t11.34 ms\n  Fastest:\t0.06 ms\n  \
                       Average:\t1.65 ms\n  Requests/sec:\t4941.58\n\n  95.012 [2] |\n\nLatency distribution:\n  10 % in 0.45 ms \n  \
                       50 % in 1.23 ms \n  95 % in 4.34 ms \n  99 % in 6.40 ms \n\nStatus code distribution:\n  \
                       [OK]           1998 responses   \n  [Unavailable]   2 responses   \n";
        let (sample, good) = read(summary).unwrap();
        assert_eq!((sample.value, sample.errors, good), (4941.58, 2, 1998));
        assert_eq!(
            [sample.avg_us, sample.p50_us, sample.p95_us, sample.p99_us].map(Option::unwrap),
            [1650.0, 1230.0, 4340.0, 6400.0]
        );
    }

    #[test]
    fn text_of_another_kind_is_no_summary() {
        assert!(read("Failed to start").is_none());
    }
}
