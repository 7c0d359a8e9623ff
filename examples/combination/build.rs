fn main() {
    polywire_build::compile("proto/search.proto");
}
