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

#[cfg(test)]
mod tests {
    use super::{super::framing::Span, *};
    use proptest::prelude::*;

    fn head(verb: &str, path: &[u8]) -> HeadBlock {
        let mut head = HeadBlock::default();
        head.raw = [verb.as_bytes(), path].concat();
        head.set_verb(Span::new(0, verb.len()), verb.as_bytes());
        head.path = Span::new(verb.len(), path.len());
        head
    }

    fn parts(target: Target<'_>) -> (bool, String, String) {
        match target {
            Target::Path { verb, path } => (true, verb.to_owned(), path.to_owned()),
            Target::Method { service, method } => (false, service.to_owned(), method.to_owned()),
            _ => unreachable!("requests over HTTP have one of the two"),
        }
    }

    fn path() -> impl Strategy<Value = Vec<u8>> {
        let long = |len| format!("/a.B/{}", "c".repeat(len - 5)).into_bytes();
        let few = ["", "/", "//", "/a", "a/b", "/a/b", "/a/b/c", "/a%2fb", "/A/B", "/\u{e4}/b"];
        let few = few.map(|path| path.as_bytes().to_vec()).into_iter();
        prop::sample::select(few.chain([long(MOST), long(MOST + 1), b"/\xff/b".to_vec()]).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn a_target_is_the_same_whatever_path_was_kept(
            requests in prop::collection::vec((path(), any::<bool>(), any::<bool>(), any::<bool>()), 1..20),
        ) {
            let mut last = LastPath::default();
            for (path, posts, plain, is_kept) in requests {
                let head = head(if posts { "POST" } else { "GET" }, &path);
                if is_kept {
                    last.keep(&head);
                }
                let kind = if plain { Kind::Plain } else { Kind::Grpc };
                prop_assert_eq!(parts(last.target(kind, &head)), parts(kind.target(&head)));
            }
        }
    }
}
