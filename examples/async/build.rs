fn main() {
    polywire_build::compile("proto/work.proto");
}
