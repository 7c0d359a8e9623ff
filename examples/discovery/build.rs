fn main() {
    polywire_build::compile("proto/colour.proto");
}
