//! The committed inputs, each of which has found something once or reaches deep, against their targets.

use polywire_fuzz::TARGETS;
use std::{fs, path::Path};

#[test]
fn no_seed_harms_its_target() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut folders: Vec<_> =
        fs::read_dir(&seeds).expect("it is there").map(|entry| entry.unwrap().file_name()).collect();
    folders.sort();
    assert!(
        folders.iter().eq(TARGETS.iter().map(|target| target.0)),
        "a folder of seeds for each target: {folders:?}"
    );
    for (name, run) in TARGETS {
        for seed in fs::read_dir(seeds.join(name)).expect("it is there") {
            let file = seed.unwrap().path();
            println!("{}", file.display()); // shown if it fails
            run(&fs::read(&file).unwrap());
        }
    }
}
