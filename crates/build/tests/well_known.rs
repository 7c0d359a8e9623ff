//! The descriptors of Google's own types, which crate `formats` embeds, are those of the compiler.

use std::{fs, path::Path};

const FILES: [&str; 10] = [
    "any",
    "api",
    "duration",
    "empty",
    "field_mask",
    "source_context",
    "struct",
    "timestamp",
    "type",
    "wrappers",
];

#[test]
fn the_embedded_descriptors_are_those_of_the_compiler() {
    let mut compiler = protox::Compiler::new([env!("CARGO_MANIFEST_DIR")]).unwrap();
    compiler.include_imports(true);
    for file in FILES {
        compiler.open_file(format!("google/protobuf/{file}.proto")).unwrap();
    }
    let bytes = compiler.encode_file_descriptor_set();
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/src/well_known.binpb");
    if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
        fs::write(&embedded, &bytes).unwrap();
    }
    assert!(fs::read(&embedded).unwrap() == bytes, "write it anew with POLYWIRE_GOLDEN=write");
}
