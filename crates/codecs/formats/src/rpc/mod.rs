//! Error details: Google's messages for them, and how a [`Status`] carries them.
//!
//! A status is a code and a text. Data for programs is in additional messages: which field is wrong, when to
//! try again. They are sent in the `google.rpc.Status` of [`Status::details`]: in gRPC as
//! `grpc-status-details-bin`. Which protocols carry them is on the page `docs/errors.md`.
//!
//! ```
//! # use polywire_call::Status;
//! # use polywire_formats::rpc::{BadRequest, ErrorDetails, bad_request::FieldViolation};
//! // A handler
//! let violation = FieldViolation { field: "name".into(), description: "is empty".into(), ..Default::default() };
//! let status = Status::invalid_argument("the item is wrong")
//!     .with_error_detail(&BadRequest { field_violations: vec![violation] });
//!
//! // A client
//! if let Some(wrong) = status.error_detail::<BadRequest>() {
//!     assert_eq!(wrong.field_violations[0].field, "name");
//! }
//! ```

use crate::{FormatError, Message as _, wkt::Any};
use polywire_call::Status as CallStatus;

#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, rustdoc::all)]
mod generated {
    include!("generated/google.rpc.rs");
}

pub use generated::{
    BadRequest, DESCRIPTOR_SET, DebugInfo, ErrorInfo, Help, LocalizedMessage, PreconditionFailure,
    QuotaFailure, RequestInfo, ResourceInfo, RetryInfo, Status, bad_request, help, precondition_failure,
    quota_failure,
};

/// Details of a [`Status`](CallStatus), as messages.
pub trait ErrorDetails: Sized {
    /// Adds a message with details of the error: one of this module, or any other.
    ///
    /// Set code and text first: other systems refuse details that contain another code or text.
    #[must_use]
    fn with_error_detail<M: crate::Message>(self, detail: &M) -> Self;

    /// The first detail of this type. `None` if there is none, or the peer has sent invalid bytes.
    fn error_detail<M: crate::Message>(&self) -> Option<M>;

    /// All details, of any type, with the code and the text that they were sent with.
    ///
    /// # Errors
    /// [`FormatError::Protobuf`] if the peer has sent invalid bytes.
    fn error_details(&self) -> Result<Status, FormatError>;
}

impl ErrorDetails for CallStatus {
    #[cold]
    fn with_error_detail<M: crate::Message>(self, detail: &M) -> Self {
        // Invalid details of a status that is passed on are replaced by valid ones. A detail of 2 GiB, the
        // only one that cannot be encoded, could not be sent either.
        let mut status = self.error_details().unwrap_or_default();
        (status.code, status.message) = (self.code() as i32, self.message().to_owned());
        status.details.extend(Any::pack(detail));
        match status.to_wire() {
            Ok(wire) => self.with_details(wire),
            Err(_) => self,
        }
    }

    fn error_detail<M: crate::Message>(&self) -> Option<M> {
        let status = self.error_details().ok()?;
        status.details.iter().find_map(|detail| detail.unpack().ok().flatten())
    }

    fn error_details(&self) -> Result<Status, FormatError> {
        Status::from_wire(self.details())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The expected bytes were made by googleapis-common-protos in Python (`google.rpc`).
    #[test]
    fn details_are_the_bytes_that_others_write() {
        let status = CallStatus::unavailable("busy")
            .with_error_detail(&RetryInfo { retry_delay: Duration::from_secs(3).into() });
        let mut expected = b"\x08\x0e\x12\x04busy\x1a\x30".to_vec();
        expected.extend(b"\x0a\x28type.googleapis.com/google.rpc.RetryInfo\x12\x04\x0a\x02\x08\x03");
        assert_eq!(status.details(), expected);
        assert_eq!((status.message(), status.code()), ("busy", polywire_call::Code::Unavailable));
    }

    #[test]
    fn each_detail_is_found_by_its_type() {
        let info = ErrorInfo {
            reason: "STOCK".into(),
            domain: "shop".into(),
            metadata: [("sku".to_owned(), "7".to_owned())].into_iter().collect(),
        };
        let request = RequestInfo { request_id: "r-1".into(), ..Default::default() };
        let status = CallStatus::not_found("no such item")
            .with_error_detail(&info)
            .with_error_detail(&request)
            .with_error_detail(&RequestInfo::default());
        assert_eq!(status.error_detail(), Some(info));
        assert_eq!(status.error_detail(), Some(request));
        assert_eq!(status.error_detail::<DebugInfo>(), None);
        assert_eq!(status.error_details().unwrap().details.len(), 3);
        assert_eq!(CallStatus::not_found("").error_details(), Ok(Status::default()));
    }

    #[test]
    fn details_that_cannot_be_read_are_none() {
        let status = CallStatus::internal("x").with_details(b"\xff".to_vec());
        assert!(status.error_details().is_err() && status.error_detail::<Help>().is_none());
        assert!(status.with_error_detail(&Help::default()).error_detail::<Help>().is_some());
    }
}
