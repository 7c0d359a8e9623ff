fn main() {
    polywire_build::compile("proto/quote.proto");
}
