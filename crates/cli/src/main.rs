fn main() -> std::process::ExitCode {
    polywire_cli::main()
}
