//! Every scenario, short.

use polywire_simulate::{
    json,
    scenarios::{ALL, Options, Scenario},
};

const PAGE: &str = include_str!("../../docs/simulator.md");

/// Everything that is written for a scenario.
fn bytes(scenario: &Scenario, seed: u64) -> String {
    let options = Options { seed, quick: true };
    let findings = (scenario.run)(&options);
    for table in &findings.tables {
        assert!(PAGE.contains(&format!("<!-- table {} -->", table.name)), "the page lacks {}", table.name);
    }
    let charts: String = findings.charts.iter().map(|chart| chart.svg()).collect();
    json(scenario, &options, &findings).replace(&format!("\"seed\":{seed}"), "") + &charts
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_the_page_has_a_place_for_them() {
    for scenario in ALL {
        let first = bytes(scenario, 7);
        assert_eq!(first, bytes(scenario, 7), "{}", scenario.name);
        assert_ne!(first, bytes(scenario, 8), "{}", scenario.name);
    }
}
