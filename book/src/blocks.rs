//! Finds the Rust blocks of a Markdown page and wraps each of them so that it compiles.
//!
//! A block that has a `fn main` or includes generated code is complete: it is compiled as a module, and
//! nothing is added. A block that is a test is a module, too. Any other block is a fragment and becomes the
//! body of an `async fn` that may use `?`. Tests and fragments see the names of the prelude. What else a
//! block needs and does not show (a variable, a type of the reader's own) stands in an HTML comment right
//! before it, which readers of the page do not see:
//!
//! ````text
//! <!-- rust
//! let request = EchoRequest::default();
//! -->
//! ```rust
//! let reply = echo.echo(request).await?;
//! ```
//! ````
//!
//! A line of the comment that says `@` stands for the block itself, where the block has to be inside of
//! something. In code, `{ … }` stands for a body that the page leaves out.
//!
//! This file is compiled twice: as a module of this crate, with tests, and as a module of its build script.

use std::fmt::Write;

/// A fenced block of Rust.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of the page in which the fence begins, counted from one.
    pub line: usize,
    /// The text of the comment before the block; empty without one.
    pub setup: String,
    /// The block itself.
    pub code: String,
}

const SETUP: &str = "<!-- rust";
const PRELUDE: &str = "use crate::prelude::*;\n";
const FRAGMENT: &str = "use crate::prelude::*;\nasync fn fragment() -> polywire::Result<()> {\n";

/// The info strings of Rust blocks: ours, and programs of tonic, which `interop/tonic` compiles.
pub const LANGUAGES: [&str; 2] = ["rust", "rust,tonic"];

/// The blocks of a page in one of the [`LANGUAGES`].
///
/// # Errors
///
/// A fence that says Rust and asks not to be compiled (`rust,ignore` and the like), a setup without a block,
/// and a block without an end.
pub fn find(page: &str, language: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut setup: Option<String> = None;
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let line_number = index + 1;
        if line == SETUP {
            setup = Some(until(&mut lines, "-->").ok_or(format!("line {line_number}: no end of the setup"))?);
            continue;
        }
        if let Some(found) = line.trim_start().strip_prefix("```") {
            let code = until(&mut lines, "```").ok_or(format!("line {line_number}: no end of the block"))?;
            if LANGUAGES.contains(&found) {
                let setup = setup.take().unwrap_or_default();
                blocks.extend((found == language).then_some(Block { line: line_number, setup, code }));
            } else if found.starts_with("rust") {
                return Err(format!("line {line_number}: `{found}` would not be compiled; say `rust`"));
            }
        }
        if setup.is_some() && !line.trim().is_empty() {
            return Err(format!("line {line_number}: a setup stands right before a block of Rust"));
        }
    }
    Ok(blocks)
}

/// The lines up to the one that is `end`, which is consumed and left out.
fn until<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>, end: &str) -> Option<String> {
    let mut text = String::new();
    loop {
        let (_, line) = lines.next()?;
        if line.trim() == end {
            return Some(text);
        }
        text.push_str(line);
        text.push('\n');
    }
}

/// The blocks of one page as a module; `path` is the page's, from the root of the repository.
pub fn module(path: &str, blocks: &[Block]) -> String {
    let name: String = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut out = format!("mod {} {{\n", name.to_ascii_lowercase());
    for block in blocks {
        let Block { line, setup, code } = block;
        let code = code.replace("{ … }", "{ todo!() }");
        let (before, after) = setup.split_once("@\n").unwrap_or((setup, ""));
        let is_complete = code.contains("fn main(") || code.contains("polywire::include!");
        let (head, tail) = match code.contains("::test") {
            _ if is_complete => ("", ""),
            true => (PRELUDE, ""),
            false => (FRAGMENT, ";\nOk(())\n}\n"),
        };
        writeln!(out, "// {path}:{line}\nmod line_{line} {{\n{head}{before}{code}{after}{tail}}}")
            .expect("a string takes all");
    }
    out.push_str("}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_with_their_lines_and_their_setups() {
        let page = "# A\n\n```rust\nfirst();\n```\n\n<!-- rust\nlet a = 1;\n-->\n```rust\nsecond(a);\n```\n";
        let found = find(page, "rust").unwrap();
        assert_eq!(found[0], Block { line: 3, setup: String::new(), code: "first();\n".into() });
        assert_eq!(found[1], Block { line: 10, setup: "let a = 1;\n".into(), code: "second(a);\n".into() });
    }

    #[test]
    fn other_languages_are_left_alone_and_rust_that_asks_to_be_ignored_is_not() {
        assert_eq!(find("```sh\nls\n```\n```\ntext\n```\n```rust,tonic\nx\n```\n", "rust"), Ok(vec![]));
        assert_eq!(find("```rust\na\n```\n```rust,tonic\nx\n```\n", "rust,tonic").unwrap()[0].line, 4);
        let why = find("text\n```rust,ignore\nno\n```\n", "rust").unwrap_err();
        assert_eq!(why, "line 2: `rust,ignore` would not be compiled; say `rust`");
    }

    #[test]
    fn a_setup_belongs_to_the_block_behind_it() {
        let line_of = |page: &str| find(page, "rust").unwrap_err().split(':').next().unwrap().to_owned();
        assert_eq!(line_of("<!-- rust\nlet a = 1;\n-->\ntext\n```rust\na;\n```\n"), "line 4");
        assert_eq!(line_of("<!-- rust\nlet a = 1;\n"), "line 1");
        assert_eq!(line_of("```rust\nlet a = 1;\n"), "line 1");
    }

    #[test]
    fn fragments_are_bodies_of_functions_and_programs_are_modules() {
        let block = |setup: &str, code: &str| Block { line: 7, setup: setup.into(), code: code.into() };
        let fragment = module("pages/a-page.md", &[block("let a = 1;\n", "go(a).await?;\n")]);
        assert!(
            fragment.starts_with("mod pages_a_page_md {\n// pages/a-page.md:7\nmod line_7 {"),
            "{fragment}"
        );
        assert!(
            fragment.contains("fragment() -> polywire::Result<()> {\nlet a = 1;\ngo(a).await?;\n;\nOk(())")
        );
        let inside = module("a.md", &[block("impl A for B {\n@\n}\n", "fn a() { … }\n")]);
        assert!(inside.contains("impl A for B {\nfn a() { todo!() }\n}\n"), "{inside}");
        let program = module("a.md", &[block("", "fn main() {}\n")]);
        assert!(!program.contains("fragment") && !program.contains("prelude"), "{program}");
        let test = module("a.md", &[block("", "#[tokio::test]\nasync fn a() {}\n")]);
        assert!(!test.contains("fragment") && test.contains("prelude"), "{test}");
    }
}
