//! The target that the variable `FUZZ_TARGET` names, under libFuzzer.
#![no_main]

use polywire_fuzz::TARGETS;
use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names a target");
    TARGETS.iter().find(|target| target.0 == name).unwrap_or_else(|| panic!("no target is called {name}")).1
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| TARGET(input));
