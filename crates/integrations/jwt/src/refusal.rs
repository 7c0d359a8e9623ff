//! Why a token is refused.

use polywire_call::Status;

/// What a caller is told. It gets no part of the token back, and nothing of what would have been accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    Missing,
    TooLong,
    Malformed,
    Algorithm,
    Issuer,
    UnknownKey,
    Signature,
    NoEnd,
    Expired,
    NotYet,
    Audience,
    Subject,
    /// No token of a list.
    Unknown,
    /// Not the caller's fault.
    NoKeys,
}

impl Refusal {
    pub fn text(self) -> &'static str {
        match self {
            Refusal::Missing => "a token is needed",
            Refusal::TooLong => "the token is too long",
            Refusal::Malformed => "the token is malformed",
            Refusal::Algorithm => "the token is signed by an algorithm that is not taken",
            Refusal::Issuer => "the issuer of the token is not known",
            Refusal::UnknownKey => "the key of the token is not known",
            Refusal::Signature => "the signature of the token is wrong",
            Refusal::NoEnd => "the token does not say when it expires",
            Refusal::Expired => "the token has expired",
            Refusal::NotYet => "the token is not valid yet",
            Refusal::Audience => "the token is for another audience",
            Refusal::Subject => "the token does not say whose it is",
            Refusal::Unknown => "the token is not known",
            Refusal::NoKeys => "the keys of the issuer cannot be had",
        }
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Status {
        match refusal {
            Refusal::NoKeys => Status::unavailable(refusal.text()),
            _ => Status::unauthenticated(refusal.text()),
        }
    }
}
