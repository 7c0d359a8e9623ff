fn main() {
    polywire_build::compile("proto/room.proto");
}
