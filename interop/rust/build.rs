fn main() {
    polywire_build::compile("proto/grpc_testing.proto");
}
