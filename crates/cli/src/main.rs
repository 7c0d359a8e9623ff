use std::alloc::System;

/// Samples allocations, so that `/hotspots/heap` shows the holders of memory.
#[global_allocator]
static ALLOCATOR: polywire::profile::Sampled<System> = polywire::profile::Sampled::new(System);

fn main() -> std::process::ExitCode {
    polywire_cli::main()
}
