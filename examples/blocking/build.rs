fn main() {
    polywire_build::compile("proto/users.proto");
}
