fn main() {
    polywire_build::compile("proto/shop.proto");
}
