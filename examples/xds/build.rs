fn main() -> Result<(), polywire_build::Error> {
    polywire_build::compile("proto/colour.proto");
    // Envoy's messages, as far as clients of gRPC read them.
    let of = |name: &str| format!("../../crates/integrations/xds/proto/envoy/{name}.proto");
    polywire_build::Config::new().include("proto").include("../../crates/integrations/xds/proto").compile(&[
        "proto/ads.proto".to_owned(),
        of("config/listener/v3/listener"),
        of("config/route/v3/route"),
        of("config/cluster/v3/cluster"),
        of("config/endpoint/v3/endpoint"),
        of("extensions/filters/network/http_connection_manager/v3/http_connection_manager"),
    ])
}
