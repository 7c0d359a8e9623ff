fn main() -> Result<(), polywire_build::Error> {
    // Old clients speak mcpack: generated code for it is faster than the descriptor.
    polywire_build::Config::new().mcpack(true).compile(&["proto/search.proto"])
}
