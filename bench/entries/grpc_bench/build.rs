fn main() {
    polywire_build::compile("proto/helloworld/helloworld.proto");
}
