fn main() {
    polywire_build::compile("proto/chat.proto");
}
