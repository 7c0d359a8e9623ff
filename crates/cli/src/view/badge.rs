//! A line at the end of a page's body that names the server of the page. It has no style, which a page's
//! policy may forbid.

/// The tag before which the badge is inserted.
const END: &[u8] = b"</body>";

/// Adds the line to a page that arrives in pieces.
pub struct Badge {
    line: Vec<u8>,
    /// The last bytes, which may begin [`END`].
    kept: Vec<u8>,
    is_added: bool,
}

impl Badge {
    pub fn new(target: &str) -> Badge {
        let shown: String = target
            .chars()
            .map(|letter| match letter {
                '&' => "&amp;".to_owned(),
                '<' => "&lt;".to_owned(),
                '>' => "&gt;".to_owned(),
                letter => letter.to_string(),
            })
            .collect();
        let line = format!("<p>polywire view: {shown}</p>").into_bytes();
        Badge { line, kept: Vec::new(), is_added: false }
    }

    /// Adds a piece; returns the bytes that can be sent now.
    pub fn add(&mut self, piece: &[u8]) -> Vec<u8> {
        let mut out = std::mem::take(&mut self.kept);
        out.extend_from_slice(piece);
        if self.is_added {
            return out;
        }
        match out.windows(END.len()).position(|window| window.eq_ignore_ascii_case(END)) {
            Some(at) => {
                self.is_added = true;
                out.splice(at..at, self.line.iter().copied());
            }
            None => self.kept = out.split_off(out.len().saturating_sub(END.len() - 1)),
        }
        out
    }

    /// Ends the body; returns the bytes that were held back.
    pub fn end(self) -> Vec<u8> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_stands_before_the_end_wherever_the_page_is_cut() {
        let page = b"<html><body>x</BODY></body></html>";
        for cut in 0..=page.len() {
            let mut badge = Badge::new("<a&b>");
            let (one, other) = page.split_at(cut);
            let out = [badge.add(one), badge.add(other), badge.end()].concat();
            let wanted = "<html><body>x<p>polywire view: &lt;a&amp;b&gt;</p></BODY></body></html>";
            assert_eq!(String::from_utf8(out).unwrap(), wanted, "cut at {cut}");
        }
        let mut badge = Badge::new("x");
        assert_eq!([badge.add(b"no end </bod"), badge.end()].concat(), b"no end </bod");
    }
}
