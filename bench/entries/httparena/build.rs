fn main() -> Result<(), polywire_build::Error> {
    polywire_build::Config::new().compile(&["proto/arena.proto", "proto/benchmark.proto"])
}
