//! How long the README may be, that the features it names exist, that its figures are those of the records
//! and pages it speaks of, and that pages in Chinese say what those in English do.

use std::path::Path;

use super::markdown;
use crate::files::read;
use crate::{Complaints, bench_page};

const PAGE: &str = "README.md";
/// Whose features the README names.
const FACADE: &str = "crates/polywire/Cargo.toml";
/// Pages with their translations.
const TRANSLATED: [(&str, &str); 3] = [
    (PAGE, "README.zh-CN.md"),
    ("docs/from-brpc.md", "docs/from-brpc.zh-CN.md"),
    ("docs/existing-brpc-fleet.md", "docs/existing-brpc-fleet.zh-CN.md"),
];
/// Pages whose counts the README has.
const SUITES: &str = "docs/conformance.md";
const THREATS: &str = "docs/threat-model.md";
/// What the README's sentence about lost loads links to.
const BEHIND: &str = "#where-others-are-ahead";
/// The README is read by whoever has not decided yet: what is longer is a page of `docs/`.
const LINES: usize = 120;
const WORDS: usize = 900;

pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let page = read(&root.join(PAGE))?;
    let mut complaints = long(&page);
    complaints.extend(features(&page, &read(&root.join(FACADE))?));
    complaints.extend(lost(&page, &bench_page::losses(root)?));
    complaints.extend(counted(&page, &read(&root.join(SUITES))?, &read(&root.join(THREATS))?));
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

/// The paragraph about where others are ahead has these figures and no other ratio.
fn lost(page: &str, losses: &[String]) -> Complaints {
    let paragraph = page.split("\n\n").find(|paragraph| paragraph.contains(BEHIND)).unwrap_or_default();
    let said: Vec<String> =
        figures(paragraph).into_iter().filter(|figure| figure.starts_with("0.")).collect();
    if said == losses {
        return Vec::new();
    }
    vec![format!("{PAGE}: the sentence about {BEHIND} says {said:?}, and bench/results {losses:?}")]
}

/// Counts of the sections about conformance and security that their pages do not have.
fn counted(page: &str, suites: &str, threats: &str) -> Complaints {
    let section = |title: &str| {
        let begin = page.split_once(&format!("\n## {title}\n")).map_or("", |(_, rest)| rest);
        figures(begin.split("\n## ").next().unwrap_or_default())
    };
    let (there, said) = (figures(suites), section("Conformance"));
    let mut complaints: Complaints = said
        .iter()
        .filter(|figure| !there.contains(figure))
        .map(|figure| format!("{PAGE} counts {figure}, which {SUITES} does not"))
        .collect();
    let claims = markdown::tables(threats).into_iter().filter(|table| table.header[0] == "claim");
    let claims = claims.map(|table| table.rows.len()).sum::<usize>().to_string();
    if said.is_empty() || section("Security") != [claims.as_str()] {
        complaints.push(format!("{PAGE} should count suites, and the {claims} claims of {THREATS}"));
    }
    complaints
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
    fn figures_that_are_not_those_of_the_records_are_found() {
        let page =
            "a\n\nWe lose (0.50 to 0.90), 10 MB (0.58): [all](docs/b.md#where-others-are-ahead).\n\n0.1\n";
        let losses = ["0.50", "0.90", "0.58"].map(str::to_owned);
        assert_eq!(lost(page, &losses), Complaints::new());
        assert_eq!(lost(&page.replace("0.58", "0.59"), &losses).len(), 1);
        assert_eq!(lost("none", &losses).len(), 1);
    }

    #[test]
    fn counts_that_the_pages_do_not_have_are_found() {
        let page =
            "# A\n\n## Conformance\n\nIt has 146 cases.\n\n## Security\n\n2 claims.\n\n## Status\n\n0.1\n";
        let suites = "| cases |\n| --- |\n| 146, twice |\n";
        let threats = "| claim |\n| --- |\n| a |\n\n| part |\n| --- |\n| b |\n\n| claim |\n| --- |\n| c |\n";
        assert_eq!(counted(page, suites, threats), Complaints::new());
        assert_eq!(counted(&page.replace("146", "147"), suites, threats).len(), 1);
        assert_eq!(counted(&page.replace("2 claims", "3 claims"), suites, threats).len(), 1);
        assert_eq!(counted("# A\n", suites, threats).len(), 1);
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
