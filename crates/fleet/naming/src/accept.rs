//! Checks a set that a source reports: each server once, well-formed, and no more than the limits allow.

use crate::{Server, SourceError, address};
use polywire_base::Sort;
use std::fmt;

/// The longest tag, zone and metadata of a server, in bytes. Tags may be JSON (brpc's `discovery`).
const MAX_TAG: usize = 4 << 10;
const MAX_ZONE: usize = 256;
const MAX_METADATA: usize = 16 << 10;
/// The maximum number of bytes of text in a set.
const MAX_BYTES: usize = 64 << 20;

/// The valid entries of a set, in the order of addresses and tags, and the rejected ones.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub servers: Vec<Server>,
    pub left_out: Option<LeftOut>,
}

/// The rejected entries, and the reasons.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Number of entries in the set.
    entries: usize,
    /// Number of entries that repeat an address and tag.
    twice: usize,
    /// Number of entries with an invalid address, tag, zone or metadata.
    bad: usize,
    /// Number of entries beyond the limit of servers or of bytes.
    beyond: usize,
    /// Describes the first invalid entry.
    example: Option<String>,
}

/// Sorts a set and removes invalid entries.
///
/// # Errors
/// No entry of a set that was not empty is valid. That is treated as a failure of the source, not as an empty
/// set.
pub(crate) fn accept(mut servers: Vec<Server>, max_servers: usize) -> Result<Accepted, SourceError> {
    let mut out = LeftOut { entries: servers.len(), ..LeftOut::default() };
    servers.retain(|server| {
        let Err(why) = check(server) else { return true };
        out.bad += 1;
        out.example.get_or_insert_with(|| format!("{:?} {why}", clipped(&server.address, 80)));
        false
    });
    // The sort is stable: of two entries with the same address and tag the first is kept.
    servers.order_by(|a, b| (&a.address, &a.tag).cmp(&(&b.address, &b.tag)));
    let well_formed = servers.len();
    servers.dedup_by(|a, b| (&a.address, &a.tag) == (&b.address, &b.tag));
    out.twice = well_formed - servers.len();
    let room = room(&servers, max_servers);
    out.beyond = servers.len() - room;
    servers.truncate(room);
    if servers.is_empty() && out.entries > 0 {
        return Err(SourceError::new(format!("none of its entries can be used: {out}")));
    }
    let left_out = (out.twice + out.bad + out.beyond > 0).then_some(out);
    Ok(Accepted { servers, left_out })
}

fn check(server: &Server) -> Result<(), &'static str> {
    address::check(&server.address)?;
    let metadata: usize = server.metadata.iter().map(|(name, value)| name.len() + value.len()).sum();
    match server {
        _ if server.tag.len() > MAX_TAG => Err("has a tag of more than 4096 bytes"),
        _ if server.zone.as_ref().is_some_and(|zone| zone.len() > MAX_ZONE) => {
            Err("has a zone of more than 256 bytes")
        }
        _ if metadata > MAX_METADATA => Err("has metadata of more than 16384 bytes"),
        _ => Ok(()),
    }
}

/// The number of servers that are within the limits.
fn room(servers: &[Server], max_servers: usize) -> usize {
    let mut left = MAX_BYTES;
    let fits = |server: &&Server| {
        let metadata: usize = server.metadata.iter().map(|(name, value)| name.len() + value.len()).sum();
        let zone = server.zone.as_ref().map_or(0, String::len);
        match left.checked_sub(server.address.len() + server.tag.len() + zone + metadata) {
            Some(rest) => left = rest,
            None => return false,
        }
        true
    };
    servers.iter().take(max_servers).take_while(fits).count()
}

/// The first bytes of a text, at most this many.
pub(crate) fn clipped(text: &str, bytes: usize) -> &str {
    let end = (0..=text.len().min(bytes)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    &text[..end]
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} entries are left out", self.twice + self.bad + self.beyond, self.entries)?;
        let parts = [
            (self.twice, "named twice"),
            (self.beyond, "beyond the bound of a set"),
            (self.bad, "not well-formed"),
        ];
        let mut separator = ": ";
        for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{count} {what}")?;
            separator = ", ";
        }
        self.example.as_ref().map_or(Ok(()), |example| write!(f, ", such as {example}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(accepted: &Accepted) -> Vec<&str> {
        accepted.servers.iter().map(|server| &*server.address).collect()
    }

    fn said(accepted: &Accepted) -> String {
        accepted.left_out.as_ref().expect("something is left out").to_string()
    }

    #[test]
    fn bad_and_repeated_entries_are_left_out_with_one_sentence() {
        let entries = vec![
            Server::new("b:2").weight(7),
            Server::new("no port"),
            Server::new("a:1"),
            Server::new("b:2").weight(1),
            Server::new("b:2").tag("x"),
            Server::new("c:0"),
        ];
        let accepted = accept(entries, 100).unwrap();
        assert_eq!(addresses(&accepted), ["a:1", "b:2", "b:2"]);
        assert_eq!(accepted.servers[1].weight, Some(7), "the first of two stays");
        assert_eq!(
            said(&accepted),
            "3 of 6 entries are left out: 1 named twice, 2 not well-formed, such as \"no port\" has no port"
        );
    }

    #[test]
    fn a_set_beyond_the_bound_keeps_the_first_by_address_each_time() {
        let entries = |order: &[u8]| order.iter().map(|n| Server::new(format!("s{n}:1"))).collect();
        for order in [[1, 2, 3, 4], [4, 3, 2, 1]] {
            let accepted = accept(entries(&order), 3).unwrap();
            assert_eq!(addresses(&accepted), ["s1:1", "s2:1", "s3:1"]);
            assert_eq!(said(&accepted), "1 of 4 entries are left out: 1 beyond the bound of a set");
        }
        assert_eq!(accept(entries(&[1, 2, 3]), 3).unwrap().left_out, None);
    }

    #[test]
    fn tags_zones_and_metadata_have_bounds() {
        let long = |bytes: usize| "x".repeat(bytes);
        let at_the_bound = Server::new("a:1")
            .tag(long(MAX_TAG))
            .zone(long(MAX_ZONE))
            .metadata("name", long(MAX_METADATA - 4));
        assert_eq!(accept(vec![at_the_bound], 9).unwrap().left_out, None);
        for (server, wrong) in [
            (Server::new("a:1").tag(long(MAX_TAG + 1)), "a tag"),
            (Server::new("a:1").zone(long(MAX_ZONE + 1)), "a zone"),
            (Server::new("a:1").metadata("name", long(MAX_METADATA - 3)), "metadata"),
        ] {
            let accepted = accept(vec![server, Server::new("b:1")], 9).unwrap();
            assert_eq!(addresses(&accepted), ["b:1"]);
            assert!(said(&accepted).contains(wrong), "{accepted:?}");
        }
    }

    #[test]
    fn all_texts_of_a_set_together_have_a_bound() {
        let tag = "x".repeat(MAX_TAG);
        let fit = MAX_BYTES / (MAX_TAG + "s00000:1".len());
        let entries = (0..fit + 9).map(|n| Server::new(format!("s{n:05}:1")).tag(&*tag)).collect();
        let accepted = accept(entries, 100_000).unwrap();
        assert_eq!(accepted.servers.len(), fit);
    }

    #[test]
    fn a_set_of_which_nothing_is_left_is_no_empty_set() {
        let error = accept(vec![Server::new("garbage")], 9).unwrap_err().to_string();
        assert!(
            error.contains("none of its entries") && error.contains("\"garbage\" has no port"),
            "{error}"
        );
        assert!(accept(vec![], 9).unwrap().servers.is_empty());
    }

    #[test]
    fn what_a_message_repeats_of_a_source_is_short() {
        let error = accept(vec![Server::new("é".repeat(100_000))], 9).unwrap_err().to_string();
        assert!(error.len() < 300, "{}", error.len());
    }
}
