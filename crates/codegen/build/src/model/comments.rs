//! Comments of services and methods, from source locations.
//!
//! A location's path is `[6, service]` or `[6, service, 2, method]`: field numbers of
//! `FileDescriptorProto.service` and `ServiceDescriptorProto.method`.

use buffa_descriptor::generated::descriptor::FileDescriptorProto;
use std::collections::HashMap;

const SERVICE: i32 = 6;
const METHOD: i32 = 2;

pub(super) struct Comments<'f> {
    by_path: HashMap<&'f [i32], String>,
}

impl<'f> Comments<'f> {
    pub fn of(file: &'f FileDescriptorProto) -> Self {
        let locations = file.source_code_info.as_option().map_or(&[][..], |info| &info.location);
        let commented = locations.iter().filter_map(|l| {
            let text = l.leading_comments.as_deref().or(l.trailing_comments.as_deref())?;
            Some((&l.path[..], tidy(text)))
        });
        Comments { by_path: commented.collect() }
    }

    pub fn service(&self, index: i32) -> String {
        self.at(&[SERVICE, index])
    }

    pub fn method(&self, service: i32, index: i32) -> String {
        self.at(&[SERVICE, service, METHOD, index])
    }

    fn at(&self, path: &[i32]) -> String {
        self.by_path.get(path).cloned().unwrap_or_default()
    }
}

/// Removes the space after `//` and blank lines at both ends. Indented and fenced passages are marked as
/// text, since rustdoc would compile them as examples.
pub(crate) fn tidy(text: &str) -> String {
    let lines =
        text.lines().map(|l| l.strip_prefix(' ').unwrap_or(l).trim_end()).skip_while(|l| l.is_empty());
    let mut out: Vec<&str> = Vec::new();
    let (mut fenced, mut indented) = (false, false);
    for line in lines {
        let is_fence = line.trim_start().starts_with("```");
        let is_indented = !fenced && !is_fence && line.starts_with("    ");
        if is_indented != indented && !(indented && line.is_empty()) {
            out.push(if is_indented { "```text" } else { "```" });
            indented = is_indented;
        }
        match line.trim_start() {
            "```" if !fenced => out.push("```text"),
            _ => out.push(line),
        }
        fenced ^= is_fence;
    }
    while out.last().is_some_and(|l| l.is_empty()) {
        out.pop();
    }
    if indented || fenced {
        out.push("```");
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn plain_comments_lose_their_margins() {
        assert_eq!(tidy(" One.\n\n Two.\n"), "One.\n\nTwo.");
        assert_eq!(tidy("\n * \n"), "*");
        assert_eq!(tidy(""), "");
    }

    #[test]
    fn passages_that_rustdoc_would_compile_become_text() {
        assert_eq!(
            tidy(" Like:\n\n     a = 1\n\n     b\n Done."),
            "Like:\n\n```text\n    a = 1\n\n    b\n```\nDone."
        );
        assert_eq!(tidy(" ```\n x\n ```"), "```text\nx\n```");
        assert_eq!(tidy(" ```rust\n x\n ```\n     y"), "```rust\nx\n```\n```text\n    y\n```");
        assert_eq!(tidy(" ```\n never closed"), "```text\nnever closed\n```");
    }
}
