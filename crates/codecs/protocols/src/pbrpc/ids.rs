//! Ids that metas have fields for, and their names in the metadata of a call.
//!
//! | metadata name | value |
//! | --- | --- |
//! | `log-id` | decimal, 64 bits unsigned |
//! | `x-bd-trace-id`, `x-bd-span-id`, `x-bd-parent-span-id` | the same |
//!
//! The names are those of brpc's HTTP headers, so that a call that changes protocol keeps its ids.

/// One of the four ids, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    Log(u64),
    Trace(u64),
    Span(u64),
    ParentSpan(u64),
}

const LOG_ID: &str = "log-id";
const TRACE_ID: &str = "x-bd-trace-id";
const SPAN_ID: &str = "x-bd-span-id";
const PARENT_SPAN_ID: &str = "x-bd-parent-span-id";

impl Id {
    /// The id in a field of metadata. `None` if the field is not an id, or its value not a number.
    pub fn of(name: &str, value: &[u8]) -> Option<Id> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let id: fn(u64) -> Id = match () {
            () if is(LOG_ID) => Id::Log,
            () if is(TRACE_ID) => Id::Trace,
            () if is(SPAN_ID) => Id::Span,
            () if is(PARENT_SPAN_ID) => Id::ParentSpan,
            () => return None,
        };
        std::str::from_utf8(value).ok()?.parse().ok().map(id)
    }

    /// Shows the id as a field of metadata.
    pub fn visit(self, visit: &mut dyn FnMut(&str, &[u8])) {
        let (name, value) = match self {
            Id::Log(id) => (LOG_ID, id),
            Id::Trace(id) => (TRACE_ID, id),
            Id::Span(id) => (SPAN_ID, id),
            Id::ParentSpan(id) => (PARENT_SPAN_ID, id),
        };
        visit(name, itoa::Buffer::new().format(value).as_bytes());
    }
}
