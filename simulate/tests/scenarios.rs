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
        assert_eq!(bytes(scenario, 7), bytes(scenario, 7), "{}", scenario.name);
    }
    let [one, other] = [7, 8].map(|seed| bytes(&ALL[0], seed));
    assert_ne!(one, other, "{}", ALL[0].name);
}
