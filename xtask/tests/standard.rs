//! The code of gRPC's standard services and of Google's own messages is committed, so that programs need no
//! generator for it. This test checks that it is the output of the generator. It is here because the tests in
//! `crates/codegen/build` need that code to compile.
//!
//! `POLYWIRE_GOLDEN=write cargo test -p xtask --test standard` writes it again.

use polywire_build::Config;
use std::{
    fs,
    path::{Path, PathBuf},
};

const SERVICES: [&str; 7] = [
    "grpc/channelz/v1/channelz.proto",
    "grpc/health/v1/health.proto",
    "grpc/reflection/v1/reflection.proto",
    "grpc/reflection/v1alpha/reflection.proto",
    "polywire/load/v1/load.proto",
    "xds/data/orca/v3/orca_load_report.proto",
    "xds/service/orca/v3/orca.proto",
];

/// The parts that are used: the older reflection has the messages of the newer one.
const TAKEN: [&str; 13] = [
    "grpc.channelz.v1.rs",
    "grpc.channelz.v1.binpb",
    "grpc.health.v1.rs",
    "grpc.health.v1.binpb",
    "grpc.reflection.v1.rs",
    "grpc.reflection.v1.binpb",
    "grpc.reflection.v1alpha.binpb",
    "polywire.load.v1.rs",
    "polywire.load.v1.binpb",
    "xds.data.orca.v3.rs",
    "xds.data.orca.v3.binpb",
    "xds.service.orca.v3.rs",
    "xds.service.orca.v3.binpb",
];

/// The compiler provides these files itself.
const WELL_KNOWN: [&str; 10] = [
    "google/protobuf/any.proto",
    "google/protobuf/api.proto",
    "google/protobuf/duration.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/field_mask.proto",
    "google/protobuf/source_context.proto",
    "google/protobuf/struct.proto",
    "google/protobuf/timestamp.proto",
    "google/protobuf/type.proto",
    "google/protobuf/wrappers.proto",
];

/// Documentation of these messages, and what they have in addition to other messages.
const MESSAGES: [(&str, &str, &str); 18] = [
    ("Any", "A message, with the name of its type.", "#[derive(Eq, Hash)]"),
    ("BoolValue", "A `bool`, for fields that may be unset.", "#[derive(Copy, Eq, Hash)]"),
    ("BytesValue", "Bytes, for fields that may be unset.", "#[derive(Eq, Hash)]"),
    ("DoubleValue", "An `f64`, for fields that may be unset.", "#[derive(Copy)]"),
    (
        "Duration",
        "A span of time of at most 10 000 years, forward or back: seconds, and nanoseconds of the same sign.",
        "#[derive(Copy, Eq, Hash, PartialOrd, Ord)]",
    ),
    ("Empty", "A message that says nothing.", "#[derive(Copy, Eq, Hash)]"),
    ("FieldMask", "Which fields of a message are meant, by their paths: `user.name`.", "#[derive(Eq, Hash)]"),
    ("FloatValue", "An `f32`, for fields that may be unset.", "#[derive(Copy)]"),
    ("Int32Value", "An `i32`, for fields that may be unset.", "#[derive(Copy, Eq, Hash)]"),
    ("Int64Value", "An `i64`, for fields that may be unset.", "#[derive(Copy, Eq, Hash)]"),
    ("ListValue", "A list of JSON.", ""),
    ("NullValue", "`null` of JSON.", ""),
    ("StringValue", "A text, for fields that may be unset.", "#[derive(Eq, Hash)]"),
    ("Struct", "An object of JSON.", ""),
    (
        "Timestamp",
        "A point in time of the years 1 to 9999: seconds since the beginning of 1970 in UTC, negative before that, and nanoseconds \
         that count forward from them.",
        "#[derive(Copy, Eq, Hash, PartialOrd, Ord)]",
    ),
    ("UInt32Value", "A `u32`, for fields that may be unset.", "#[derive(Copy, Eq, Hash)]"),
    ("UInt64Value", "A `u64`, for fields that may be unset.", "#[derive(Copy, Eq, Hash)]"),
    ("Value", "A value of JSON.", ""),
];

fn crates(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(path)
}

/// For crates of which the facade is made.
fn of_a_crate() -> Config {
    Config::new().runtime_path("crate")
}

/// Generates and compares with the committed files.
fn compare(test: &str, config: Config, files: &[&str], committed: &Path, taken: &[&str]) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let made = config.out_dir(&out).compile(files);
    made.unwrap_or_else(|error| panic!("{error}"));
    for name in taken {
        let made = fs::read(out.join("polywire").join(name)).unwrap();
        if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
            fs::create_dir_all(committed).unwrap();
            fs::write(committed.join(name), made).unwrap();
        } else {
            assert!(
                fs::read(committed.join(name)).is_ok_and(|there| there == made),
                "{name} is not what is generated"
            );
        }
    }
}

#[test]
fn the_standard_services_are_as_generated() {
    let config = of_a_crate().include(crates("services/grpc_services/proto"));
    compare("standard", config, &SERVICES, &crates("services/grpc_services/src/generated"), &TAKEN);
}

#[test]
fn the_well_known_types_are_as_generated() {
    let config = of_a_crate().include(crates("codecs/formats/proto")).well_known_types(true);
    let config = MESSAGES.iter().fold(config.bytes(".google.protobuf.Any.value"), |config, message| {
        let (name, says, derived) = message;
        let path = format!(".google.protobuf.{name}");
        let config = config.type_attribute(&path, format!("#[doc = {says:?}]"));
        let config = if *name == "NullValue" { config } else { config.views(&path) };
        if derived.is_empty() { config } else { config.type_attribute(path, *derived) }
    });
    let taken = ["google.protobuf.rs", "google.protobuf.binpb"];
    compare("well_known", config, &WELL_KNOWN, &crates("codecs/formats/src/wkt/generated"), &taken);
}

#[test]
fn the_body_of_http_is_as_generated() {
    // `crate` has its own copy of the file, which is the same.
    let bundled = fs::read(crates("codegen/proto/src/google/httpbody.proto")).unwrap();
    assert!(fs::read(crates("codecs/formats/proto/google/api/httpbody.proto")).unwrap() == bundled);
    let config = of_a_crate().include(crates("codecs/formats/proto"));
    let taken = ["google.api.rs", "google.api.binpb"];
    compare(
        "http_body",
        config,
        &["google/api/httpbody.proto"],
        &crates("codecs/formats/src/rest/generated"),
        &taken,
    );
}

#[test]
fn the_details_of_errors_are_as_generated() {
    let config = of_a_crate().include(crates("codecs/formats/proto"));
    let files = ["google/rpc/error_details.proto", "google/rpc/status.proto"];
    let taken = ["google.rpc.rs", "google.rpc.binpb"];
    compare("error_details", config, &files, &crates("codecs/formats/src/rpc/generated"), &taken);
}

#[test]
fn the_messages_of_etcd_are_as_generated() {
    let config = of_a_crate().include(crates("integrations/registries/proto"));
    let taken = ["etcdserverpb.rs", "etcdserverpb.binpb"];
    compare("etcd", config, &["etcd.proto"], &crates("integrations/registries/src/etcd/generated"), &taken);
}

#[test]
fn the_messages_of_the_program_are_as_generated() {
    let config = Config::new().include(crates("cli/proto")).mcpack(true);
    let files = [
        "example/echo.proto",
        "example/streams.proto",
        "helloworld.proto",
        "benchmark.proto",
        "cluster.proto",
        "flat.fbs",
        "flat_benchmark.fbs",
    ];
    // Files of FlatBuffers are not looked up.
    let files = files.map(|file| crates("cli/proto").join(file).display().to_string());
    let files = files.each_ref().map(String::as_str);
    let messages = ["cluster", "example", "helloworld", "test"];
    let made = messages.map(|package| [format!("{package}.rs"), format!("{package}.binpb")]);
    let taken: Vec<_> =
        made.iter().flatten().map(String::as_str).chain(["flat.rs", "flat_test.rs"]).collect();
    compare("cli", config, &files, &crates("cli/src/generated"), &taken);
}

/// Files, and the packages that they come to.
const XDS: [(&str, &str); 23] = [
    ("envoy/admin/v3/config_dump_shared.proto", "envoy.admin.v3"),
    ("envoy/config/cluster/v3/cluster.proto", "envoy.config.cluster.v3"),
    ("envoy/config/core/v3/core.proto", "envoy.config.core.v3"),
    ("envoy/config/endpoint/v3/endpoint.proto", "envoy.config.endpoint.v3"),
    ("envoy/config/listener/v3/listener.proto", "envoy.config.listener.v3"),
    ("envoy/config/route/v3/route.proto", "envoy.config.route.v3"),
    ("envoy/extensions/clusters/aggregate/v3/cluster.proto", "envoy.extensions.clusters.aggregate.v3"),
    ("envoy/extensions/filters/common/fault/v3/fault.proto", "envoy.extensions.filters.common.fault.v3"),
    ("envoy/extensions/filters/http/fault/v3/fault.proto", "envoy.extensions.filters.http.fault.v3"),
    (
        "envoy/extensions/filters/network/http_connection_manager/v3/http_connection_manager.proto",
        "envoy.extensions.filters.network.http_connection_manager.v3",
    ),
    (
        "envoy/extensions/load_balancing_policies/client_side_weighted_round_robin/v3/client_side_weighted_round_robin.proto",
        "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3",
    ),
    (
        "envoy/extensions/load_balancing_policies/least_request/v3/least_request.proto",
        "envoy.extensions.load_balancing_policies.least_request.v3",
    ),
    (
        "envoy/extensions/load_balancing_policies/pick_first/v3/pick_first.proto",
        "envoy.extensions.load_balancing_policies.pick_first.v3",
    ),
    (
        "envoy/extensions/load_balancing_policies/random_subsetting/v3/random_subsetting.proto",
        "envoy.extensions.load_balancing_policies.random_subsetting.v3",
    ),
    (
        "envoy/extensions/load_balancing_policies/ring_hash/v3/ring_hash.proto",
        "envoy.extensions.load_balancing_policies.ring_hash.v3",
    ),
    (
        "envoy/extensions/load_balancing_policies/wrr_locality/v3/wrr_locality.proto",
        "envoy.extensions.load_balancing_policies.wrr_locality.v3",
    ),
    ("envoy/extensions/transport_sockets/tls/v3/tls.proto", "envoy.extensions.transport_sockets.tls.v3"),
    ("envoy/service/discovery/v3/discovery.proto", "envoy.service.discovery.v3"),
    ("envoy/service/status/v3/csds.proto", "envoy.service.status.v3"),
    ("envoy/type/matcher/v3/matcher.proto", "envoy.type.matcher.v3"),
    ("envoy/type/v3/type.proto", "envoy.type.v3"),
    ("google/rpc/status.proto", "google.rpc"),
    ("xds/type/v3/typed_struct.proto", "xds.type.v3"),
];

#[test]
fn the_messages_of_xds_are_as_generated() {
    let config = of_a_crate().include(crates("integrations/xds/proto"));
    let files = XDS.map(|(file, _)| file);
    let made = XDS.map(|(_, package)| [format!("{package}.rs"), format!("{package}.binpb")]);
    let taken: Vec<_> = made.iter().flatten().map(String::as_str).collect();
    compare("xds", config, &files, &crates("integrations/xds/src/generated"), &taken);
}
