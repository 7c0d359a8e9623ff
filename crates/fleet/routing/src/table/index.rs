//! Finds the routes that a path may take without looking at all of them.
//!
//! Routes for one path, and routes for the methods of one service (`/package.Service/`), are found by a hash;
//! all others are looked at one after the other. The three lists are read together, so that routes keep their
//! order.

use crate::PathMatch;
use std::collections::HashMap;

/// The numbers of routes, each list in ascending order.
#[derive(Default)]
pub(super) struct Index {
    by_path: HashMap<String, Vec<usize>>,
    by_service: HashMap<String, Vec<usize>>,
    others: Vec<usize>,
}

/// The numbers of the routes that a path may take, in ascending order.
pub(super) struct Candidates<'i>([&'i [usize]; 3]);

impl Index {
    pub fn new<'p>(paths: impl Iterator<Item = &'p PathMatch>) -> Self {
        let mut index = Index::default();
        for (number, path) in paths.enumerate() {
            match path {
                PathMatch::Exact { path, ignores_case: false } => {
                    index.by_path.entry(path.clone()).or_default().push(number);
                }
                PathMatch::Prefix { prefix, ignores_case: false } if service(prefix) == Some(prefix) => {
                    index.by_service.entry(prefix.clone()).or_default().push(number);
                }
                PathMatch::Exact { .. } | PathMatch::Prefix { .. } | PathMatch::Pattern(_) => {
                    index.others.push(number);
                }
            }
        }
        index
    }

    pub fn candidates(&self, path: &str) -> Candidates<'_> {
        let by_path = self.by_path.get(path).map_or(&[][..], Vec::as_slice);
        let by_service = service(path).and_then(|service| self.by_service.get(service));
        Candidates([by_path, by_service.map_or(&[][..], Vec::as_slice), &self.others])
    }
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let lists = self.0.iter_mut().filter(|list| !list.is_empty());
        let (first, rest) = lists.min_by_key(|list| list[0]).and_then(|list| {
            let (first, rest) = list.split_first()?;
            Some((*first, (list, rest)))
        })?;
        *rest.0 = rest.1;
        Some(first)
    }
}

/// `/package.Service/`: the path up to its second slash.
fn service(path: &str) -> Option<&str> {
    let slash = path.strip_prefix('/')?.find('/')?;
    path.get(..slash + 2)
}
