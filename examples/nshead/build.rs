fn main() -> Result<(), polywire_build::Error> {
    // Old clients use mcpack: generated code for it is faster than conversion by descriptor.
    polywire_build::Config::new().mcpack(true).compile(&["proto/search.proto"])
}
