fn main() {
    polywire_build::compile("hello.proto");
}
