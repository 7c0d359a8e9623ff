fn main() -> Result<(), polywire_build::Error> {
    polywire_build::Config::new().compile(&["schema/echo.fbs", "schema/echo.proto"])
}
