//! The parameter after the colon in a client's protocol: `grpc:json`, `grpc-web:text`, `connect:json+h2`.
//!
//! | word | what it does | of |
//! | --- | --- | --- |
//! | `proto`, `json` | codec of the messages; default `proto` | all |
//! | `flatbuffers` | the same | `grpc`, `grpc-web` |
//! | `text` | the text form | `grpc-web` |
//! | `h2` | over HTTP/2 in place of HTTP/1.1 | `grpc-web`, `connect` |

use super::dialects::Kind;
use polywire_wire::Content;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    pub kind: Kind,
    pub content: Content,
    pub h2: bool,
}

impl Parameter {
    /// The parameter of a protocol without one.
    pub fn absent(kind: Kind) -> Parameter {
        Parameter { kind, content: Content::PROTOBUF, h2: kind == Kind::Grpc }
    }

    /// The words of `text`, divided by `+`, for a protocol with calls of this kind. `None`: one of them has
    /// no meaning there.
    pub fn of(kind: Kind, text: &str) -> Option<Parameter> {
        let mut parameter = Parameter::absent(kind);
        for word in text.split('+').filter(|word| !word.is_empty()) {
            match word {
                "proto" => parameter.content = Content::PROTOBUF,
                "json" => parameter.content = Content::PROTO_JSON,
                "flatbuffers" if kind != Kind::Connect => parameter.content = Content::FLATBUFFERS,
                "text" if kind == Kind::GrpcWeb => parameter.kind = Kind::GrpcWebText,
                "h2" => parameter.h2 = true,
                _ => return None,
            }
        }
        Some(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_stand_together_in_any_order() {
        let found = Parameter::of(Kind::GrpcWeb, "json+text").unwrap();
        assert_eq!((found.kind, found.content, found.h2), (Kind::GrpcWebText, Content::PROTO_JSON, false));
        assert_eq!(Parameter::of(Kind::Connect, "h2+json"), Parameter::of(Kind::Connect, "json+h2"));
        assert_eq!(Parameter::of(Kind::Grpc, "").unwrap().content, Content::PROTOBUF);
    }

    #[test]
    fn words_without_a_meaning_there_are_refused() {
        for (kind, text) in [
            (Kind::Grpc, "text"),
            (Kind::Connect, "text"),
            (Kind::GrpcWeb, "xml"),
            (Kind::Connect, "flatbuffers"),
        ] {
            assert_eq!(Parameter::of(kind, text), None, "{text}");
        }
    }
}
