//! Every scenario, short.

use polywire_simulate::{
    json,
    scenarios::{ALL, Options, Scenario},
};

/// Everything that is written for a scenario.
fn bytes(scenario: &Scenario, seed: u64) -> String {
    let options = Options { seed, quick: true };
    let findings = (scenario.run)(&options);
    let charts: String = findings.charts.iter().map(|chart| chart.svg()).collect();
    json(scenario, &options, &findings).replace(&format!("\"seed\":{seed}"), "") + &charts
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_does_not() {
    for scenario in ALL {
        let first = bytes(scenario, 7);
        assert_eq!(first, bytes(scenario, 7), "{}", scenario.name);
        assert_ne!(first, bytes(scenario, 8), "{}", scenario.name);
    }
}

#[test]
fn the_page_has_a_place_for_every_table() {
    let page = include_str!("../../docs/simulator.md");
    for scenario in ALL {
        for table in (scenario.run)(&Options { seed: 1, quick: true }).tables {
            assert!(page.contains(&format!("<!-- table {} -->", table.name)), "{}", table.name);
        }
    }
}
