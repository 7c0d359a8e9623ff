use std::alloc::System;

/// So that `/hotspots/heap` tells who holds memory.
#[global_allocator]
static ALLOCATOR: polywire::profile::Sampled<System> = polywire::profile::Sampled::new(System);

fn main() -> std::process::ExitCode {
    polywire_cli::main()
}
