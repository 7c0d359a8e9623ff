//! The forms of messages.

use polywire_formats::thrift::Encoding;

/// The form of the messages of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    /// Whether each message has its length in front (TFramedTransport) or not (TBufferedTransport, TSocket).
    pub framed: bool,
    /// TBinaryProtocol or TCompactProtocol.
    pub encoding: Encoding,
    /// Binary: whether a message begins with the version. Old implementations do not send it.
    pub strict: bool,
    /// Whether a TTHeader is before each message, and before the length of a framed one.
    pub ttheader: bool,
}

impl Default for Form {
    /// Framed and binary, as in brpc.
    fn default() -> Self {
        Form { framed: true, encoding: Encoding::Binary, strict: true, ttheader: false }
    }
}

impl Form {
    /// The form named after the colon in a protocol's name: `compact`, `unframed+old`, `ttheader`. After a
    /// TTHeader a message has no other length unless `framed` is named, too, as with Kitex, and is never old.
    pub fn named(name: &str) -> Option<Form> {
        let mut form = Form::default();
        let mut framed = None;
        for part in name.split('+').filter(|_| !name.is_empty()) {
            match part {
                "framed" => framed = Some(true),
                "unframed" => framed = Some(false),
                "binary" => form.encoding = Encoding::Binary,
                "old" => (form.encoding, form.strict) = (Encoding::Binary, false),
                "compact" => form.encoding = Encoding::Compact,
                "ttheader" => form.ttheader = true,
                _ => return None,
            }
        }
        form.framed = framed.unwrap_or(!form.ttheader);
        Some(form).filter(|form| form.strict || !form.ttheader)
    }
}
