fn main() {
    polywire_build::compile("proto/greet.proto");
}
