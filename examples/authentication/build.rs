fn main() {
    polywire_build::compile("proto/notes.proto");
}
