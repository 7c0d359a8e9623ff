fn main() {
    tonic_prost_build::compile_protos("hello.proto").unwrap();
}
