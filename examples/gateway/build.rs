fn main() {
    polywire_build::compile("proto/hello.proto");
}
