//! Writing lines of Rust.

use std::fmt::Write;

/// Source text that grows line by line, four spaces per level.
#[derive(Default)]
pub(crate) struct Text {
    out: String,
    level: usize,
}

impl Text {
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        match line {
            "" => self.out.push('\n'),
            _ => writeln!(self.out, "{:1$}{line}", "", 4 * self.level)
                .expect("writing to a String does not fail"),
        }
    }

    pub fn lines<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) {
        lines.into_iter().for_each(|line| self.line(line));
    }

    /// Writes `opening {`, the output of `body`, and `}`.
    pub fn block(&mut self, opening: impl AsRef<str>, body: impl FnOnce(&mut Self)) {
        let opening = opening.as_ref();
        self.line(if opening.is_empty() { "{".to_owned() } else { format!("{opening} {{") });
        self.indented(body);
        self.line("}");
    }

    pub fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        self.level += 1;
        body(self);
        self.level -= 1;
    }

    /// Writes doc comments, one per line of `text`; none if it is empty.
    pub fn doc(&mut self, text: &str) {
        for line in text.lines() {
            self.line(if line.is_empty() { "///".to_owned() } else { format!("/// {line}") });
        }
    }

    pub fn finish(self) -> String {
        self.out
    }
}
