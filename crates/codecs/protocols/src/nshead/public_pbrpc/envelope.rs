//! PublicPbrpcRequest and PublicPbrpcResponse, read by reference and written around a message.
//!
//! Source:     docs/wire/public_pbrpc.md, the tables of the four messages.
//! Errors:     `None` where brpc's parser fails as well: not protobuf, a required field missing, or no body
//!             at all.

use crate::protobuf::{Writer, bytes, field_bytes, skip, varint};
use crate::{relays, reply_fields};
use ::bytes::BytesMut;
use polywire_call::Metadata;

const LEN: u8 = 2;

/// Tags of both envelopes: one head, bodies of which "exactly one is used (the first)".
const HEAD: u8 = 1 << 3 | LEN;
const BODY: u8 = 2 << 3 | LEN;

mod request_head {
    pub const CONTENT_TYPE: u8 = 2 << 3;
    pub const CONNECTION: u8 = 3 << 3;
    pub const CHARSET: u8 = 4 << 3 | super::LEN;
    pub const LOG_ID: u8 = 7 << 3;
    pub const COMPRESS_TYPE: u8 = 8 << 3;
}

mod request_body {
    pub const VERSION: u8 = 1 << 3 | super::LEN;
    pub const CHARSET: u8 = 2 << 3 | super::LEN;
    pub const SERVICE: u8 = 3 << 3 | super::LEN;
    pub const METHOD_ID: u8 = 4 << 3;
    pub const ID: u8 = 5 << 3;
    pub const MESSAGE: u8 = 6 << 3 | super::LEN;
}

mod response_head {
    pub const CODE: u8 = 1 << 3;
    pub const TEXT: u8 = 2 << 3 | super::LEN;
    pub const COMPRESS_TYPE: u8 = 4 << 3;
}

mod response_body {
    pub const MESSAGE: u8 = 1 << 3 | super::LEN;
    pub const VERSION: u8 = 2 << 3 | super::LEN;
    pub const ID: u8 = 4 << 3;
}

/// The fields of a request's envelope.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct PublicRequest<'a> {
    pub log_id: Option<u64>,
    pub compress_type: u32,
    pub version: &'a [u8],
    pub service: &'a [u8],
    pub method_id: u32,
    pub id: u64,
    pub message: &'a [u8],
    /// Whether there may be fields that are not in PublicPbrpcRequest.
    pub extra: bool,
}

impl<'a> PublicRequest<'a> {
    pub fn parse(mut rest: &'a [u8]) -> Option<Self> {
        let mut request = PublicRequest::default();
        let mut bodies = 0;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                HEAD => request.head(bytes(&mut rest)?)?,
                BODY => {
                    // Later bodies are not used, but have to be valid.
                    let body = bytes(&mut rest)?;
                    let to = if bodies == 0 { &mut request } else { &mut PublicRequest::default() };
                    to.body(body)?;
                    bodies += 1;
                }
                other => {
                    skip(other, &mut rest)?;
                    request.extra = true;
                }
            }
        }
        (bodies > 0).then_some(request)
    }

    fn head(&mut self, mut rest: &'a [u8]) -> Option<()> {
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                request_head::LOG_ID => self.log_id = Some(varint(&mut rest)?),
                request_head::COMPRESS_TYPE => self.compress_type = varint(&mut rest)? as u32,
                other => skip(other, &mut rest)?,
            }
        }
        Some(())
    }

    fn body(&mut self, mut rest: &'a [u8]) -> Option<()> {
        let (mut service, mut method, mut id) = (false, false, false);
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                request_body::VERSION => self.version = bytes(&mut rest)?,
                request_body::SERVICE => (self.service, service) = (bytes(&mut rest)?, true),
                request_body::METHOD_ID => (self.method_id, method) = (varint(&mut rest)? as u32, true),
                request_body::ID => (self.id, id) = (varint(&mut rest)?, true),
                request_body::MESSAGE => self.message = bytes(&mut rest)?,
                other => skip(other, &mut rest)?,
            }
        }
        (service && method && id).then_some(())
    }
}

/// The fields of a reply's envelope.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct PublicResponse<'a> {
    pub code: i32,
    pub text: &'a [u8],
    pub compress_type: u32,
    pub id: u64,
    pub message: &'a [u8],
    /// Whether there may be fields that are not in PublicPbrpcResponse.
    pub extra: bool,
}

impl<'a> PublicResponse<'a> {
    pub fn parse(mut rest: &'a [u8]) -> Option<Self> {
        let mut response = PublicResponse::default();
        let mut bodies = 0;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                HEAD => response.head(bytes(&mut rest)?)?,
                BODY => {
                    let body = bytes(&mut rest)?;
                    let to = if bodies == 0 { &mut response } else { &mut PublicResponse::default() };
                    to.body(body)?;
                    bodies += 1;
                }
                other => {
                    skip(other, &mut rest)?;
                    response.extra = true;
                }
            }
        }
        (bodies > 0).then_some(response)
    }

    fn head(&mut self, mut rest: &'a [u8]) -> Option<()> {
        let mut code = false;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                response_head::CODE => {
                    let bits = varint(&mut rest)? as u32;
                    (self.code, code) = ((bits >> 1) as i32 ^ -((bits & 1) as i32), true);
                }
                response_head::TEXT => self.text = bytes(&mut rest)?,
                response_head::COMPRESS_TYPE => self.compress_type = varint(&mut rest)? as u32,
                other => skip(other, &mut rest)?,
            }
        }
        code.then_some(())
    }

    fn body(&mut self, mut rest: &'a [u8]) -> Option<()> {
        let mut id = false;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            match first {
                response_body::MESSAGE => self.message = bytes(&mut rest)?,
                response_body::ID => (self.id, id) = (varint(&mut rest)?, true),
                other => skip(other, &mut rest)?,
            }
        }
        id.then_some(())
    }
}

const VERSION: &[u8] = b"pbrpc=1.0";
const CHARSET: &[u8] = b"utf-8";

/// The fields that a client writes for a call.
pub(super) struct Call<'a> {
    /// Name of the service without its package.
    pub service: &'a str,
    pub method_id: u32,
    pub id: u64,
    pub log_id: Option<u64>,
    pub snappy: bool,
    /// The number of relays that the call has passed.
    pub relays: Option<&'a [u8]>,
}

impl Call<'_> {
    /// The envelope before a message of this many bytes, which is the last field.
    pub fn in_front_of(&self, message: usize) -> BytesMut {
        let head = written(|head| {
            head.int(request_head::CONTENT_TYPE, 1);
            head.int(request_head::CONNECTION, 1);
            head.text(request_head::CHARSET, CHARSET);
            if let Some(log_id) = self.log_id {
                head.int(request_head::LOG_ID, log_id);
            }
            if self.snappy {
                head.int(request_head::COMPRESS_TYPE, 1);
            }
        });
        let body = written(|body| {
            body.text(request_body::VERSION, VERSION);
            body.text(request_body::CHARSET, CHARSET);
            body.text(request_body::SERVICE, self.service.as_bytes());
            body.int(request_body::METHOD_ID, self.method_id.into());
            body.int(request_body::ID, self.id);
            body.int(request_body::MESSAGE, message as u64);
        });
        written(|to| {
            to.text(HEAD, &head);
            if let Some(passed) = self.relays {
                relays::put(to, passed);
            }
            to.int(BODY, (body.len() + message) as u64);
            to.raw(&body);
        })
    }
}

/// The fields that a server writes for a reply.
pub(super) struct Reply<'a> {
    pub id: u64,
    /// "echo of the request body's version"
    pub version: &'a [u8],
    pub snappy: bool,
}

impl Reply<'_> {
    /// The bytes before and after a message of this many bytes.
    pub fn around(&self, message: usize, fields: Option<&Metadata>) -> (BytesMut, BytesMut) {
        let mut back = self.back();
        let front = written(|to| {
            let head = written(|head| {
                head.int(response_head::CODE, 0);
                head.text(response_head::TEXT, b"success");
                if self.snappy {
                    head.int(response_head::COMPRESS_TYPE, 1);
                }
            });
            to.text(HEAD, &head);
            to.int(BODY, (field_bytes(message) + back.len()) as u64);
            to.int(response_body::MESSAGE, message as u64);
        });
        if let Some(fields) = fields {
            back.extend_from_slice(&reply_fields::written(fields));
        }
        (front, back)
    }

    /// The whole answer to a request that failed.
    pub fn failure(&self, code: i32, text: &str, fields: &Metadata) -> BytesMut {
        let back = self.back();
        written(|to| {
            let head = written(|head| {
                head.int(response_head::CODE, u64::from(((code << 1) ^ (code >> 31)) as u32));
                head.text(response_head::TEXT, text.as_bytes());
            });
            to.text(HEAD, &head);
            to.text(BODY, &back);
            reply_fields::put(to, fields.iter());
        })
    }

    /// The fields that follow the message.
    fn back(&self) -> BytesMut {
        written(|body| {
            body.text(response_body::VERSION, self.version);
            body.int(response_body::ID, self.id);
        })
    }
}

fn written(write: impl FnOnce(&mut Writer<'_>)) -> BytesMut {
    let mut out = BytesMut::new();
    let mut writer = Writer::new(&mut out, 0);
    write(&mut writer);
    writer.end();
    out
}
