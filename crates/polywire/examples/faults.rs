//! What becomes of calls while servers fail, by fault and balancer: a table in markdown, in virtual time.
//!
//! `cargo run -p polywire --example faults [SEED [FAULT]]`. The same seed prints the same bytes; with a text,
//! only the faults in whose names it is.

#[path = "../tests/it/faults/bed.rs"]
mod bed;
#[path = "../tests/it/faults/fault.rs"]
mod fault;
#[path = "../tests/it/faults/figures.rs"]
mod figures;

#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../codegen/build/tests/golden_protobuf/talk.rs");
}

use bed::Setup;
use fault::Fault;
use figures::{Calls, Figures};
use std::time::Duration;

/// The balancers, and whether outlier detection is on.
const WAYS: [(&str, &str, bool); 5] = [
    ("rr", "rr", false),
    ("rr, outlier detection", "rr", true),
    ("la", "la", false),
    ("p2c", "p2c", false),
    ("prequal", "prequal", false),
];

fn main() {
    let seed = std::env::args().nth(1).map_or(7, |seed| seed.parse().expect("a number"));
    println!(
        "| fault | balancer | calls | failed | good | p50 | p99 | p99.9 | p99.9 before | last trouble after |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let only = std::env::args().nth(2).unwrap_or_default();
    for fault in Fault::ALL.into_iter().filter(|fault| fault.name().contains(&only)) {
        for (name, balancer, outlier_detection) in WAYS {
            let run = bed::run(Setup { seed, outlier_detection, ..Setup::new(balancer, fault) });
            let Figures { before, during, trouble } = Figures::of(&run);
            let trouble = match trouble {
                Duration::ZERO => "none".to_owned(),
                trouble => format!("{:.1} s", trouble.as_secs_f64()),
            };
            let at = |calls: &Calls, share| format!("{} ms", calls.at(share).as_millis());
            let cells = [
                fault.name().to_owned(),
                name.to_owned(),
                during.all.to_string(),
                during.failed.to_string(),
                format!("{:.2} %", during.success()),
                at(&during, 0.5),
                at(&during, 0.99),
                at(&during, 0.999),
                at(&before, 0.999),
                trouble,
            ];
            println!("| {} |", cells.join(" | "));
        }
    }
}
