//! Every Rust block of the documentation, compiled. Blocks that are tests run.

#![allow(dead_code, unused, unreachable_code, clippy::all)]

mod prelude;

std::include!(std::concat!(std::env!("OUT_DIR"), "/pages.rs"));

#[test]
fn the_pages_were_read() {
    let code = std::include_str!(std::concat!(std::env!("OUT_DIR"), "/pages.rs"));
    for page in ["README.md", "docs/getting-started.md", "docs/server.md", "docs/client.md"] {
        assert!(code.contains(&format!("\n// {page}:")), "{page} has no Rust block");
    }
}
