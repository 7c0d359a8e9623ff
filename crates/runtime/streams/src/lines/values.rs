//! Finds the ends of JSON values that follow each other in one body.
//!
//! ```text
//!  {"result":{"n":1}}\n{"result":{"n":2}}\n      grpc-gateway: one object per message
//!  [{"n":1},{"n":2}]                            Envoy's transcoder, Google's servers: one array of all messages
//! ```
//!
//! The values are divided here; whether they are JSON is seen when they are decoded.

/// Finds the ends of values, byte by byte.
#[derive(Default)]
pub(super) struct Values {
    state: State,
    array: Array,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum State {
    #[default]
    Between,
    /// In an object or an array, this many deep.
    Inside(u32),
    /// In a string, at this depth; `escaped`: the next byte does not end it.
    Text { depth: u32, escaped: bool },
    /// In a number or a word.
    Word,
}

/// The array around all values.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Array {
    /// No value has begun.
    #[default]
    Unknown,
    None,
    Open,
    Closed,
}

/// The place of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The byte belongs to no value.
    Outside,
    /// The byte belongs to a value that continues.
    Within,
    /// The byte is the last one of a value.
    Last,
    /// The value before it has ended; it belongs to none.
    Behind,
}

impl Values {
    /// Takes the next byte of the body.
    pub fn take(&mut self, byte: u8) -> Place {
        match (self.state, byte) {
            (State::Between, b' ' | b'\t' | b'\r' | b'\n') => Place::Outside,
            (State::Between, b'[') if self.array == Array::Unknown => {
                self.array = Array::Open;
                Place::Outside
            }
            (State::Between, b',' | b']') if self.array == Array::Open => {
                self.leave(byte);
                Place::Outside
            }
            (State::Between, _) => {
                if self.array == Array::Unknown {
                    self.array = Array::None;
                }
                self.state = match byte {
                    b'{' | b'[' => State::Inside(1),
                    b'"' => State::Text { depth: 0, escaped: false },
                    _ => State::Word,
                };
                Place::Within
            }
            (State::Text { depth, escaped: true }, _) => self.go_on(State::Text { depth, escaped: false }),
            (State::Text { depth, .. }, b'\\') => self.go_on(State::Text { depth, escaped: true }),
            (State::Text { depth: 0, .. }, b'"') => self.end(),
            (State::Text { depth, .. }, b'"') => self.go_on(State::Inside(depth)),
            (State::Text { .. }, _) => Place::Within,
            (State::Inside(depth), b'"') => self.go_on(State::Text { depth, escaped: false }),
            (State::Inside(depth), b'{' | b'[') => self.go_on(State::Inside(depth.saturating_add(1))),
            (State::Inside(1), b'}' | b']') => self.end(),
            (State::Inside(depth), b'}' | b']') => self.go_on(State::Inside(depth - 1)),
            (State::Inside(_), _) => Place::Within,
            (State::Word, b' ' | b'\t' | b'\r' | b'\n') => self.behind(byte),
            (State::Word, b',' | b']') if self.array == Array::Open => self.behind(byte),
            (State::Word, _) => Place::Within,
        }
    }

    fn go_on(&mut self, state: State) -> Place {
        self.state = state;
        Place::Within
    }

    fn end(&mut self) -> Place {
        self.state = State::Between;
        Place::Last
    }

    fn behind(&mut self, byte: u8) -> Place {
        self.state = State::Between;
        self.leave(byte);
        Place::Behind
    }

    fn leave(&mut self, byte: u8) {
        if byte == b']' {
            self.array = Array::Closed;
        }
    }

    /// Whether the values are items of one array.
    pub fn are_items(&self) -> bool {
        matches!(self.array, Array::Open | Array::Closed)
    }

    /// Whether the array around the values has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.array == Array::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(body: &str) -> Vec<String> {
        let (mut values, mut found, mut value) = (Values::default(), Vec::new(), Vec::new());
        for &byte in body.as_bytes() {
            let place = values.take(byte);
            if matches!(place, Place::Within | Place::Last) {
                value.push(byte);
            }
            if matches!(place, Place::Last | Place::Behind) {
                found.push(String::from_utf8(std::mem::take(&mut value)).unwrap());
            }
        }
        assert!(value.is_empty(), "{body}");
        found
    }

    #[test]
    fn values_end_where_json_says() {
        for (body, expected) in [
            ("", &[][..]),
            (" \n", &[]),
            ("[]", &[]),
            ("{}\n{}\n", &["{}", "{}"]),
            ("{}{}", &["{}", "{}"]),
            ("[{},\n{}\n]\n", &["{}", "{}"]),
            (r#"{"a":"}\"{"}{"b":[{}]}"#, &[r#"{"a":"}\"{"}"#, r#"{"b":[{}]}"#]),
            (r#"["a,]",1,[2],null]"#, &[r#""a,]""#, "1", "[2]", "null"]),
            ("\"x\"\n12\n", &["\"x\"", "12"]),
        ] {
            assert_eq!(divided(body), expected, "{body}");
        }
    }
}
