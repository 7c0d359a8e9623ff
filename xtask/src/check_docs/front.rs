//! How long the README may be, that the features it names exist, and that pages in Chinese say what those in
//! English do.

use std::path::Path;

use super::markdown;
use crate::Complaints;
use crate::files::read;

const PAGE: &str = "README.md";
/// Whose features the README names.
const FACADE: &str = "crates/polywire/Cargo.toml";
/// Pages with their translations.
const TRANSLATED: [(&str, &str); 2] =
    [(PAGE, "README.zh-CN.md"), ("docs/from-brpc.md", "docs/from-brpc.zh-CN.md")];
/// The README is read by whoever has not decided yet: what is longer is a page of `docs/`.
const LINES: usize = 120;
const WORDS: usize = 900;

pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let page = read(&root.join(PAGE))?;
    let mut complaints = long(&page);
    complaints.extend(features(&page, &read(&root.join(FACADE))?));
    for (page, translated) in TRANSLATED {
        let found = different(&read(&root.join(page))?, &read(&root.join(translated))?);
        complaints.extend(found.into_iter().map(|what| format!("{translated}, beside {page}: {what}")));
    }
    Ok(complaints)
}

/// Features in the table of protocols that the facade does not have.
fn features(page: &str, manifest: &str) -> Complaints {
    let named = markdown::tables(page).into_iter().filter_map(|table| table.codes("feature")).flatten();
    let is_declared = |name: &String| manifest.lines().any(|line| line.starts_with(&format!("{name} = [")));
    named
        .filter(|name| !is_declared(name))
        .map(|name| format!("{PAGE} names `{name}`, which is no feature"))
        .collect()
}

/// Words are what `wc -w` counts.
fn long(page: &str) -> Complaints {
    let (lines, words) = (page.lines().count(), page.split_whitespace().count());
    let mut complaints = Vec::new();
    if lines > LINES {
        complaints.push(format!("{PAGE} has {lines} lines, and may have {LINES}"));
    }
    if words > WORDS {
        complaints.push(format!("{PAGE} has {words} words, and may have {WORDS}"));
    }
    complaints
}

/// What the translation has otherwise: its levels of headings, code, pictures, words in code, or figures.
fn different(page: &str, translated: &str) -> Complaints {
    let mut complaints = Vec::new();
    for (what, of) in PARTS {
        let (ours, theirs) = (of(page), of(translated));
        for missing in left(&ours, &theirs) {
            complaints.push(format!("it lacks {what}: {missing}"));
        }
        for added in left(&theirs, &ours) {
            complaints.push(format!("it has {what} more: {added}"));
        }
    }
    if headings(page) != headings(translated) {
        complaints.push("it has other sections".to_owned());
    }
    complaints
}

type Part = fn(&str) -> Vec<String>;
const PARTS: [(&str, Part); 4] =
    [("a block of code", blocks), ("a picture", pictures), ("words in code", codes), ("a figure", figures)];

/// What is in `some` and not in `others`, each as often as it is more frequent.
fn left(some: &[String], others: &[String]) -> Vec<String> {
    let mut others = others.to_vec();
    let mut left = some.to_vec();
    left.retain(|word| match others.iter().position(|other| other == word) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    });
    left
}

/// The levels of the headings, in order.
fn headings(page: &str) -> Vec<usize> {
    let level = |line: &str| line.len() - line.trim_start_matches('#').len();
    markdown::prose(page).filter(|line| line.starts_with('#')).map(level).collect()
}

/// Fenced blocks.
fn blocks(page: &str) -> Vec<String> {
    let parts = page.split("\n```");
    parts.skip(1).step_by(2).map(str::to_owned).collect()
}

/// Lines that show pictures, without the texts for those who do not see them.
fn pictures(page: &str) -> Vec<String> {
    let part =
        |line: &str, attribute: &str| line.split(attribute).nth(1)?.split('"').next().map(str::to_owned);
    markdown::prose(page)
        .filter_map(|line| part(line, "src=\"").or_else(|| part(line, "srcset=\"")))
        .collect()
}

fn codes(page: &str) -> Vec<String> {
    markdown::prose(page).flat_map(markdown::codes).collect()
}

/// Numbers in running text and tables: `388`, `0.1`. Digits in names (`h2`), in code and in targets of links
/// are none.
fn figures(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in markdown::prose(page).filter(|line| !line.trim_start().starts_with('<')) {
        let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let text: String = text
            .split("](")
            .enumerate()
            .map(|(at, part)| if at == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) })
            .collect();
        let is_word = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        let words = text.split(|c| !is_word(c)).map(|word| word.trim_matches(|c| ".-/".contains(c)));
        found.extend(words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "# Name\n\nIt makes 388 k calls, 6.4 times `tonic`'s ([page](docs/a2.md)).\n\n## Run\n\n```sh\ncargo run\n```\n\n<picture>\n<source srcset=\"a.svg\">\n<img src=\"b.svg\" alt=\"A 1\">\n</picture>\n";
    const CHINESE: &str = "# 名字\n\n是 `tonic` 的 6.4 倍，每秒 388 k 次（[页面](docs/b3.md)）。\n\n## 运行\n\n```sh\ncargo run\n```\n\n<picture>\n<source srcset=\"a.svg\">\n<img src=\"b.svg\" alt=\"甲 2\">\n</picture>\n";

    #[test]
    fn a_translation_in_other_words_and_another_order_is_the_same() {
        assert_eq!(different(ENGLISH, CHINESE), Complaints::new());
    }

    #[test]
    fn each_part_that_differs_is_found() {
        for (old, new, said) in [
            ("6.4", "6.5", 2),
            ("`tonic`", "tonic", 1),
            ("cargo run", "cargo test", 2),
            ("b.svg", "c.svg", 2),
            ("## 运行", "### 运行", 1),
            ("388 k ", "", 1),
        ] {
            let found = different(ENGLISH, &CHINESE.replace(old, new));
            assert_eq!(found.len(), said, "{old}: {found:?}");
        }
    }

    #[test]
    fn a_feature_that_is_none_is_found() {
        let page = "| protocol | feature |\n| --- | --- |\n| a | `fast`, `slow` |\n";
        let found = features(page, "[features]\nfast = [\"x\"]\nslower = []\n");
        assert_eq!(found, ["README.md names `slow`, which is no feature"]);
    }

    #[test]
    fn a_readme_has_as_many_lines_and_words_as_it_may_and_no_more() {
        assert_eq!(long(&"a b c d e\n".repeat(LINES)), Complaints::new());
        assert_eq!(long(&"a\n".repeat(LINES + 1)).len(), 1);
        assert_eq!(long(&"a ".repeat(WORDS)), Complaints::new());
        assert_eq!(long(&"a ".repeat(WORDS + 1)).len(), 1);
    }
}
