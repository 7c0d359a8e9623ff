//! Failures of the application in Kitex and volo: a number, a text, and further facts as JSON. They travel in
//! the TTHeader of a reply whose struct is empty, so that they count as answers and not as broken calls; from
//! volo in that of an exception.
//!
//! Source: docs/wire/ttheader.md, "Failures"

use polywire_call::{Code, Metadata, Origin, Status};

/// The number of a failure that the application has defined, `BizStatusError` of Kitex and `BizError` of
/// volo. A status that is made of it reaches a client over TTHeader as such an error; over all others as any
/// other failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BizStatus(pub i32);

impl BizStatus {
    /// The field of a status that has the further facts: a JSON object of texts.
    pub const EXTRA: &'static str = "biz-extra";

    /// A status that a server sends as this failure, or that a client has received so. 0 is no failure to
    /// Kitex, and is sent as any other status.
    pub fn status(self, text: impl Into<Box<str>>) -> Status {
        Status::new(Code::Unknown, text).with_metadata(STATUS, self.0.to_string())
    }

    /// The number with which a status was made or received.
    pub fn of(status: &Status) -> Option<BizStatus> {
        in_fields(status.metadata())
    }
}

pub(super) const STATUS: &str = "biz-status";
pub(super) const MESSAGE: &str = "biz-message";

/// The number in these fields.
pub(super) fn in_fields(fields: &Metadata) -> Option<BizStatus> {
    fields.get_str(STATUS)?.parse().ok().filter(|&number| number != 0).map(BizStatus)
}

/// Whether a field belongs to such a failure.
pub(super) fn is_part(name: &str) -> bool {
    [STATUS, MESSAGE, BizStatus::EXTRA].iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// The status of a reply with these fields, which has them; `None`: the call has not failed so.
#[cold]
pub(super) fn received(fields: &Metadata) -> Option<Status> {
    let status = in_fields(fields)?;
    let text = String::from_utf8_lossy(fields.get(MESSAGE).unwrap_or_default());
    let kept = fields.iter().filter(|(name, _)| !name.eq_ignore_ascii_case(MESSAGE)).collect();
    Some(status.status(text).with_origin(Origin::Remote).with_trailers(kept))
}
