//! Whether a page in a browser made a request, and whether that page may.
//!
//! A browser sends requests for any page that it shows, some of them without asking the server first: any
//! GET, and a POST of text or of a form. Three fields of the head show this:
//!
//! | field | sent | what it says |
//! | --- | --- | --- |
//! | `sec-fetch-site` | to `https` and to loopback alone | how the page's origin relates to the request's |
//! | `origin` | with every POST, and where the page wants to read the answer | the page's origin |
//! | `host` | always | under which name the server was reached |
//!
//! ```text
//!  sec-fetch-site   same-origin, none ───────────────────────────────────────► Allowed
//!         │         other: origin is allowed, or a link is followed (GET) ───► Allowed      else ForeignPage
//!         └ absent  origin: one that is allowed ─────────────────────────────► Allowed
//!                   origin: none, unless it is a page on this machine ───────► Allowed      else UnknownHost
//!                   origin = host: https, or the host is one of ours ────────► Allowed      else UnknownHost
//!                   another origin ──────────────────────────────────────────► ForeignPage
//! ```
//!
//! An attacker can change the address of its own host name to that of this server ("DNS rebinding"). The
//! attacker's page then has the same origin and host as the request. Over TLS that attack fails, because the
//! certificate names another host; therefore a browser's fields for `https` can be trusted, whichever program
//! terminates TLS. Over plain HTTP the host has to be one that no other party can own, see
//! [`Origins::is_known`].
//!
//! GETs of such a page have none of the three fields. On a loopback address, the usual aim of such attacks,
//! they are recognised by `accept-language`: browsers always send it, and a page can change its value but not
//! remove it. Every sender of that field is treated as a browser. Other addresses are used under names that
//! the server does not know, by people who type them into their browsers; there [`Origins::only_hosts`] has
//! to be set.
//!
//! Source: fetch.spec.whatwg.org section 3; w3c.github.io/webappsec-fetch-metadata; RFC 6454.
//!
//! Not here: the fields of answers for browsers (`cors.rs`); the refusal, which is sent by the server,
//!           because that knows who handles the path.

use super::framing::{HeadBlock, Known};
use polywire_wire::{Origins, Sender};

/// Visits the fields of a head.
type Fields = fn(&[u8], &mut dyn FnMut(&str, &[u8]));

/// How a connection reaches this server: whether over TLS, and whether on a loopback address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Whether TLS encrypts the connection.
    pub secure: bool,
    /// Whether only this machine can reach it, see
    /// [`ServerSetup::loopback`](polywire_wire::ServerSetup::loopback).
    pub loopback: bool,
}

/// The sender of a request by its head. Hot: once per request that is not like the one before.
#[inline]
pub(crate) fn sender(head: &HeadBlock, origins: Option<&Origins>, way: Way, fields: Fields) -> Sender {
    let silent = head.known(Known::Origin).is_none() && head.known(Known::FetchSite).is_none();
    let plain_loopback = way.loopback && !way.secure;
    if silent && !plain_loopback && origins.is_none_or(|origins| !origins.only_hosts) {
        return Sender::Allowed;
    }
    match origins {
        Some(origins) => judge(head, origins, way, fields),
        None => judge(head, &Origins::default(), way, fields),
    }
}

#[cold]
fn judge(head: &HeadBlock, origins: &Origins, way: Way, fields: Fields) -> Sender {
    let host = head.known(Known::Host).unwrap_or(b"");
    if origins.only_hosts && !origins.is_known(host) {
        return Sender::UnknownHost;
    }
    let origin = head.known(Known::Origin);
    if origins.allows_all() || origin.is_some_and(|origin| origins.allows(origin)) {
        return match head.is_repeated(Known::Origin) {
            true => Sender::ForeignPage,
            false => Sender::Allowed,
        };
    }
    match (head.known(Known::FetchSite), origin) {
        (Some(b"same-origin" | b"none"), _) => Sender::Allowed,
        (Some(_), None) if follows_link(head, fields) => Sender::Allowed,
        (Some(_), _) => Sender::ForeignPage,
        (None, Some(origin)) if !head.is_repeated(Known::Origin) => {
            of_origin(origin, host, origins, way.secure)
        }
        (None, Some(_)) => Sender::ForeignPage,
        (None, None)
            if way.loopback && !way.secure && !origins.is_known(host) && is_browser(head, fields) =>
        {
            Sender::UnknownHost
        }
        (None, None) => Sender::Allowed,
    }
}

/// Whether a user follows a link to this server, from a page of another origin that will not see the answer.
fn follows_link(head: &HeadBlock, fields: Fields) -> bool {
    let mut navigates = false;
    fields(&head.raw, &mut |name, value| {
        navigates |= name.eq_ignore_ascii_case("sec-fetch-mode") && value == b"navigate";
    });
    navigates && matches!(head.verb(), "GET" | "HEAD")
}

/// Whether a browser has sent this request: it has the languages of a user. A page can change the value, for
/// example to `*`, which Node's `fetch` sends.
fn is_browser(head: &HeadBlock, fields: Fields) -> bool {
    let mut is_browser = false;
    fields(&head.raw, &mut |name, _| {
        is_browser |= name.eq_ignore_ascii_case("accept-language");
    });
    is_browser
}

/// Whether a browser that sends no `sec-fetch-site` has named this origin.
fn of_origin(origin: &[u8], host: &[u8], origins: &Origins, secure: bool) -> Sender {
    let own = |scheme: &[u8], port: &[u8]| {
        let authority = origin.strip_prefix(scheme);
        let without = |name: &[u8]| name.strip_suffix(port).unwrap_or(name).to_ascii_lowercase();
        authority.is_some_and(|authority| without(authority) == without(host))
    };
    if own(b"https://", b":443") {
        return Sender::Allowed;
    }
    match own(b"http://", b":80") && !secure {
        true if origins.is_known(host) => Sender::Allowed,
        true => Sender::UnknownHost,
        false => Sender::ForeignPage,
    }
}
