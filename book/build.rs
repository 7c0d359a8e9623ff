//! Generates a test program from all Rust blocks of the documentation, and code for the schemas that they
//! use.

#[path = "src/blocks.rs"]
mod blocks;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Files and folders with pages, from the root of the repository.
const PAGES: &[&str] = &["README.md", "docs", "docs/wire", "docs/design"];

fn main() {
    let schemas = ["echo", "fields", "talk", "room", "shop", "items", "slow", "stock", "users"]
        .map(|name| format!("proto/{name}.proto"));
    let files: Vec<&str> =
        schemas.iter().map(String::as_str).chain(["proto/flat.fbs", "proto/calculator.thrift"]).collect();
    polywire_build::Config::new()
        .strings_as_bytes(".shop.v1")
        .views(".stock.Stock")
        .compile(&files)
        .expect("the schemas of the book are right");

    let root = Path::new("..");
    let mut code = String::new();
    for page in pages(root) {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = fs::read_to_string(&page).expect("a page is text");
        let path = page.strip_prefix(root).expect("it lies there").display().to_string();
        match blocks::find(&text, "rust") {
            Ok(found) if found.is_empty() => {}
            Ok(found) => code.push_str(&blocks::module(&path, &found)),
            Err(why) => panic!("{path}, {why}"),
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("pages.rs");
    fs::write(out, code).expect("OUT_DIR can be written");
}

fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for name in PAGES {
        let path = root.join(name);
        if path.is_file() {
            pages.push(path);
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let entries = fs::read_dir(&path).expect("the folder is there");
        pages
            .extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}
