//! Checks and preprocessing of the book of `docs/` that mdBook does not do itself.
//!
//! `cargo xtask book-links` is a preprocessor of mdBook (`book/book.toml` names it). Pages link to files
//! outside of `docs/`, such as `../examples/echo`. A reader of the repository can follow such a link, a
//! reader of the book cannot: in the book it leads to the repository's web pages. `cargo xtask check-book`
//! follows every link of the book that was built.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::Complaints;
use crate::files::{below, read, shown};
use crate::repository;

/// Reads `[context, book]` as JSON from standard input and writes the book with its links replaced.
pub fn links(root: &Path) -> Result<(), String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let input: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let Value::Array(parts) = input else { return Err("not the input of a preprocessor".into()) };
    let [_context, mut book] = <[Value; 2]>::try_from(parts).map_err(|_| "not two values")?;
    chapters(&mut book, &mut |chapter| {
        let path = [&chapter["source_path"], &chapter["path"]]
            .into_iter()
            .find_map(Value::as_str)
            .map(PathBuf::from);
        if let (Some(path), Some(content)) = (path, chapter["content"].as_str()) {
            chapter["content"] = outward(root, &Path::new("docs").join(path), content).into();
        }
    });
    println!("{book}");
    Ok(())
}

/// Visits every chapter, wherever it is nested.
fn chapters(value: &mut Value, visit: &mut impl FnMut(&mut Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "Chapter" {
                    visit(member);
                }
                chapters(member, visit);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| chapters(item, visit)),
        _ => {}
    }
}

/// The text of a page with links out of `docs/` leading to the repository; `page` is its path from the root.
fn outward(root: &Path, page: &Path, text: &str) -> String {
    let here = page.parent().unwrap_or(Path::new(""));
    let mut out = String::with_capacity(text.len());
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        fenced ^= line.trim_start().starts_with("```");
        let mut rest = line;
        while let Some((before, link)) = rest.split_once("](").filter(|_| !fenced) {
            let Some((target, after)) = link.split_once(')') else { break };
            out.push_str(before);
            out.push_str("](");
            out.push_str(&repository_link(root, here, target).unwrap_or_else(|| target.to_owned()));
            out.push(')');
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

/// The repository's web page for the target of a link from the folder `here`; `None` if the link stays within
/// the book.
fn repository_link(root: &Path, here: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with('#') || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let full = normal(&here.join(path));
    if full.starts_with("docs") {
        return None;
    }
    let shown = if root.join(&full).is_dir() { repository::folder } else { repository::address };
    let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    Some(shown(&full.display().to_string()) + &anchor)
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

/// Checks every link between the pages of the book in `folder`: the file exists, and so does the anchor.
pub fn check(folder: &Path) -> Result<Complaints, String> {
    let files = if folder.is_dir() { below(folder, &|_| true)? } else { Vec::new() };
    let pages: Vec<_> = files.iter().filter(|file| file.extension().is_some_and(|e| e == "html")).collect();
    if pages.is_empty() {
        return Err(format!("{} holds no book; `mdbook build book` makes it", folder.display()));
    }
    let mut complaints = Vec::new();
    for page in pages {
        let text = read(page)?;
        for target in attributes(&text, "href").chain(attributes(&text, "src")) {
            if let Some(why) = dead(page, target) {
                complaints.push(format!("{}: {why}", shown(folder, page)));
            }
        }
    }
    Ok(complaints)
}

/// What is wrong with a link of a page. Links to other hosts, and to the root, which the page for unknown
/// addresses uses, are accepted.
fn dead(page: &Path, target: &str) -> Option<String> {
    if target.contains(':') || target.starts_with("//") || target == "/" {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = path.split('?').next().unwrap_or_default();
    let file = if path.is_empty() { page.to_owned() } else { page.parent()?.join(path) };
    let file = if file.is_dir() { file.join("index.html") } else { file };
    if !file.is_file() {
        return Some(format!("{target} leads nowhere"));
    }
    let is_page = file.extension().is_some_and(|e| e == "html");
    if anchor.is_empty() || !is_page {
        return None;
    }
    let there = fs::read_to_string(&file).is_ok_and(|text| attributes(&text, "id").any(|id| id == anchor));
    (!there).then(|| format!("{target} names no place of that page"))
}

/// The values of an attribute that are written in double quotes.
fn attributes<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let opening = format!(" {name}=\"");
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, behind) = rest.split_once(opening.as_str())?;
        let (value, after) = behind.split_once('"')?;
        rest = after;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn links_out_of_the_book_lead_to_the_repository_and_others_stay() {
        let tree = Tree::new("outward").with("examples/echo/README.md", "").with("CONTRIBUTING.md", "");
        let text = "[a](../../examples/echo) [b](../../CONTRIBUTING.md#tests) [c](x.md#y) [d](https://example.org)\n\
                    ```rust\nlist[0](../../x)\n```\n";
        let out = outward(tree.root(), Path::new("docs/wire/page.md"), text);
        let expected = format!(
            "[a]({}) [b]({}#tests) [c](x.md#y) [d](https://example.org)\n```rust\nlist[0](../../x)\n```\n",
            repository::folder("examples/echo"),
            repository::address("CONTRIBUTING.md"),
        );
        assert_eq!(out, expected);
    }

    #[test]
    fn chapters_are_found_however_deep_they_lie() {
        let mut book = serde_json::json!({"items": [{"Chapter": {"name": "a", "sub_items": [{"Chapter": {"name": "b"}}]}}]});
        let mut names = Vec::new();
        chapters(&mut book, &mut |chapter| names.push(chapter["name"].as_str().unwrap().to_owned()));
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn a_link_of_the_built_book_that_leads_nowhere_is_named() {
        let tree = Tree::new("built")
            .with("a.html", "<h1 id=\"top\"></h1><a href=\"b/c.html#here\"></a><a href=\"d.html\"></a>")
            .with(
                "b/c.html",
                "<p id=\"there\"></p><a href=\"../a.html#top\"></a><a href=\"https://x.org\"></a>",
            );
        assert_eq!(
            check(tree.root()).unwrap(),
            ["a.html: b/c.html#here names no place of that page", "a.html: d.html leads nowhere"]
        );
    }
}
