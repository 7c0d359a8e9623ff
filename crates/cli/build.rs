fn main() {
    let made = polywire_build::Config::new().include("proto").mcpack(true).compile(&[
        "proto/example/echo.proto",
        "proto/example/streams.proto",
        "proto/helloworld.proto",
        "proto/benchmark.proto",
        "proto/cluster.proto",
        "proto/flat.fbs",
        "proto/flat_benchmark.fbs",
    ]);
    if let Err(error) = made {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
