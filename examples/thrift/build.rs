fn main() {
    polywire_build::compile("idl/warehouse.thrift");
}
