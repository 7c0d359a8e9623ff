//! The program shows that hedging cuts the tail, and with how few further requests.

use std::process::Command;

/// The 99th percentile in milliseconds, and how many calls were sent twice.
fn figures(line: &str) -> (f64, f64) {
    let (_, figures) = line.split_once(": ").expect("a name stands before the figures");
    let numbers: Vec<f64> = figures.split(' ').filter_map(|word| word.parse().ok()).collect();
    (numbers[1], numbers[2])
}

#[test]
fn hedging_cuts_the_tail_with_few_further_requests() {
    let output = Command::new(env!("CARGO_BIN_EXE_hedging")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> = said.lines().map(figures).collect();
    let [(slow, none), (fixed, of_fixed), (tuned, of_tuned)] = lines[..] else { panic!("{said}") };
    assert!(slow >= 200.0 && none == 0.0, "{said}");
    assert!(fixed < slow && (1.0..=200.0).contains(&of_fixed), "{said}");
    assert!(tuned < slow && (1.0..=200.0).contains(&of_tuned), "{said}");
}
