//! The path of the last request. Most requests of a connection have few paths: one that comes again need
//! not be checked again for being text, nor taken apart.
//!
//! Limits: a path of more than [`MOST`] bytes is not kept.

use super::{
    dialects::{Kind, names},
    framing::HeadBlock,
};
use polywire_wire::Target;
use std::ops::Range;

const MOST: usize = 256;

#[derive(Default)]
pub(crate) struct LastPath {
    text: String,
    /// Where it names a service, and from where on a method.
    service: Range<u16>,
    method: u16,
}

impl LastPath {
    /// Whether this head has the path.
    #[inline]
    fn is_of(&self, head: &HeadBlock) -> bool {
        head.path.of(&head.raw) == self.text.as_bytes()
    }

    /// Keeps the path of this head.
    #[inline]
    pub fn keep(&mut self, head: &HeadBlock) {
        if !self.is_of(head) {
            self.replace(head.text(head.path));
        }
    }

    #[cold]
    fn replace(&mut self, path: &str) {
        let path = if path.len() <= MOST { path } else { "" };
        self.text.clear();
        self.text.push_str(path);
        let (service, method) = names(path);
        (self.service, self.method) = (service.start as u16..service.end as u16, method as u16);
    }

    /// The target of a request of this kind.
    #[inline]
    pub fn target<'h>(&'h self, kind: Kind, head: &'h HeadBlock) -> Target<'h> {
        match kind {
            _ if !self.is_of(head) => kind.target(head),
            Kind::Plain => Target::Path { verb: head.verb(), path: &self.text },
            _ => Target::Method {
                service: &self.text[self.service.start.into()..self.service.end.into()],
                method: &self.text[self.method.into()..],
            },
        }
    }
}
