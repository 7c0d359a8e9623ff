//! The code of gRPC's standard services is committed, so that programs need no generator for it. It is what we generate.
//! Here and not in `crates/build`, whose tests need that code to compile.
//!
//! `POLYWIRE_GOLDEN=write cargo test -p xtask --test standard` writes it anew.

use std::{fs, path::Path};

const FILES: [&str; 4] = [
    "grpc/channelz/v1/channelz.proto",
    "grpc/health/v1/health.proto",
    "grpc/reflection/v1/reflection.proto",
    "grpc/reflection/v1alpha/reflection.proto",
];

/// What is taken of it: the older reflection has the messages of the newer one.
const TAKEN: [&str; 7] = [
    "grpc.channelz.v1.rs",
    "grpc.channelz.v1.binpb",
    "grpc.health.v1.rs",
    "grpc.health.v1.binpb",
    "grpc.reflection.v1.rs",
    "grpc.reflection.v1.binpb",
    "grpc.reflection.v1alpha.binpb",
];

#[test]
fn the_standard_services_are_as_generated() {
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/polywire");
    let (protos, committed) = (facade.join("proto"), facade.join("src/standard/generated"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("standard");
    let files = FILES.map(|file| protos.join(file));
    let config = polywire_build::Config::new().include(&protos).runtime_path("crate").out_dir(&out);
    config.compile(&files).unwrap_or_else(|error| panic!("{error}"));
    for name in TAKEN {
        let made = fs::read(out.join("polywire").join(name)).unwrap();
        if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
            fs::create_dir_all(&committed).unwrap();
            fs::write(committed.join(name), made).unwrap();
        } else {
            assert!(
                fs::read(committed.join(name)).is_ok_and(|there| there == made),
                "{name} is not what is generated"
            );
        }
    }
}
