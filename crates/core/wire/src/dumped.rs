//! The form in which a protocol's requests are recorded in dump files (docs/wire/rpc_dump.md).

use crate::Head;

/// The record that a request becomes, see [`Protocol::dumped`](crate::Protocol::dumped).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dumped {
    /// brpc's number of the protocol, `protocol_type` of the record. 0: brpc has none, or never dumps the
    /// protocol, and its replay leaves the record out.
    pub number: u32,
    pub form: DumpForm,
    /// The name of the protocol over which a client sends the request, if it differs from the connection's.
    pub client: Option<&'static str>,
}

/// The parts of a request that a record names, and the form of its payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DumpForm {
    /// Service and method as the request names them; the payload is its body, attachment included.
    Names,
    /// Service and position of the method; the payload is the body, attachment included. The metadata field
    /// of this name is the record's `user_data`.
    Position { user_data: &'static str },
    /// The method's full name, `package.Service.Method`; the payload is the body.
    FullName,
    /// The whole request as HTTP/1.1 text.
    HttpText,
    /// A head of 36 bytes, and the rest as payload. The machine reports them by
    /// [`Host::received`](crate::Host::received), because the call no longer contains them.
    HeadAndBody,
    /// None of brpc's: the names under which the server knows the method, all metadata, and the body as
    /// payload.
    Own,
    /// The request is not recorded, because it is a credential.
    Never,
}

impl Dumped {
    /// The form that every protocol has.
    pub const OWN: Dumped = Dumped::new(0, DumpForm::Own);
    /// For requests that are credentials and are never recorded.
    pub const NEVER: Dumped = Dumped::new(0, DumpForm::Never);

    /// A form of brpc's.
    pub const fn new(number: u32, form: DumpForm) -> Self {
        Dumped { number, form, client: None }
    }

    /// For requests that are recorded in the form common to all protocols, and are replayed over another
    /// protocol than the connection's.
    pub const fn sent_by(client: &'static str) -> Self {
        Dumped { client: Some(client), ..Dumped::OWN }
    }

    /// The default of [`Protocol::dumped`](crate::Protocol::dumped).
    pub(crate) fn own(_: &Head<'_>) -> Dumped {
        Dumped::OWN
    }
}
