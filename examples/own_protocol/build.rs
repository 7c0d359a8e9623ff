fn main() {
    polywire_build::compile("proto/echo.proto");
}
