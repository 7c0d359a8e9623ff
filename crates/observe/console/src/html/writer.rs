//! Writes HTML. Text enters escaped, and in no other way.

use crate::escape;

/// HTML under construction. Markup is a `&'static str`, so that computed text can never be markup.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
}

impl Writer {
    /// Appends markup, which is a literal in the program.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// A text, which may be a peer's: cut, and harmless as an element's content and as an attribute's value
    /// in quotes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.escaped(&escape::shown(text))
    }

    /// A text of the program itself, whole.
    pub fn whole(&mut self, text: &str) -> &mut Self {
        self.escaped(&escape::whole(text))
    }

    /// Lines of text, which stay lines.
    pub fn lines(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.escaped(&escape::whole(line)).raw("\n");
        }
        self
    }

    fn escaped(&mut self, text: &str) -> &mut Self {
        for char in text.chars() {
            match char {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                char => self.out.push(char),
            }
        }
        self
    }

    /// Writes ` name="value"`.
    pub fn attribute(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").whole(value).raw("\"")
    }

    /// Writes ` name="address"`: the path to the root, and an address below it. An address with a scheme, or
    /// one that leads to another server, is left out.
    pub fn address(&mut self, name: &'static str, root: &str, address: &str) -> &mut Self {
        let path = address.split(['?', '#']).next().unwrap_or("");
        let foreign = path.trim_start().starts_with('/')
            || path.contains([':', '\\'])
            || address.chars().any(escape::is_hidden);
        let address = if foreign { "" } else { address };
        let whole = match (root, address) {
            ("", "") => "index".to_owned(),
            (root, address) => format!("{root}{address}"),
        };
        self.attribute(name, &whole)
    }

    pub fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let mut writer = Writer::default();
        writer.raw("<a").attribute("title", "\"><script>'&").raw(">").text("<b>\x1b\u{202e}").raw("</a>");
        assert_eq!(
            writer.finish(),
            "<a title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\">&lt;b&gt;\\u{1b}\\u{202e}</a>"
        );
    }

    #[test]
    fn an_address_stays_on_this_server() {
        let of = |address| {
            let mut writer = Writer::default();
            writer.address("href", "../", address);
            writer.finish()
        };
        assert_eq!(of("status/a%2Fb?q=x:y"), " href=\"../status/a%2Fb?q=x:y\"");
        for foreign in
            ["javascript:alert(1)", "//evil.example/", "/x", "\\\\evil", "http://x", "java\tscript:x"]
        {
            assert_eq!(of(foreign), " href=\"../\"", "{foreign}");
        }
    }
}
