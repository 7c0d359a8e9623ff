//! Who shows the token of [`Pages::token`](crate::Pages::token): a script with each request, a browser once.
//!
//! ```text
//!  script:   authorization: Bearer TOKEN                                               --> page
//!  browser:  a page --303--> /login, a form --POST TOKEN--> cookie of a session, 303   --> page
//! ```
//!
//! A cookie holds 128 random bits that this process has made and keeps; nothing is computed from the token,
//! so there is nothing to forge, another server or a later run knows no such session, and logging out ends
//! it. It is `HttpOnly` and `SameSite=Strict`, `Secure` where the browser came over TLS, and lives for
//! [`LIFE`] whatever is done with it. Its name has the run of the server in it, because browsers give cookies
//! to all ports of a host.
//!
//! Wrong tokens are counted by address: after [`MOST_WRONG`] in a minute that address is not listened to
//! until the minute is over, whatever it shows, so that guessing goes no faster. Sessions are not concerned.
//! Each counts as `fault_unauthenticated`.

use crate::{head::Head, secrets};
use polywire_base::lock;
use polywire_call::Status;
use polywire_engine::Peer;
use std::{
    net::IpAddr,
    sync::Mutex,
    time::{Duration, Instant},
};

/// The page with the form.
pub(crate) const LOGIN: &str = "login";
/// How long a session lasts: a cookie that somebody else has seen is of use to him for this long at most.
const LIFE: Duration = Duration::from_secs(12 * 3600);
/// Sessions at once; beyond these the oldest ends.
const MOST_SESSIONS: usize = 256;
/// Wrong tokens of an address in a minute.
const MOST_WRONG: u32 = 10;
const MINUTE: Duration = Duration::from_secs(60);
/// Addresses whose wrong tokens are counted; beyond these the oldest count is dropped.
const MOST_COUNTED: usize = 1024;
/// The shortest token that is taken at the start.
pub(crate) const SHORTEST: usize = 16;

/// The token, and the sessions of those who have shown it.
pub(crate) struct Logins {
    token: String,
    cookie: String,
    /// Those who are logged in, the oldest login first.
    sessions: Mutex<Vec<Session>>,
    /// Hosts that have shown a wrong token, the oldest first.
    wrong: Mutex<Vec<Wrong>>,
}

struct Session {
    id: String,
    until: Instant,
}

/// Wrong tokens from an address.
struct Wrong {
    host: String,
    since: Instant,
    count: u32,
}

/// What a request shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Token,
    Session,
    Nothing,
    WrongToken,
    /// It was not looked at: too many were wrong.
    TooMany,
}

impl Logins {
    pub fn new(token: String, boot: u64) -> Logins {
        let cookie = format!("polywire-{boot:x}");
        Logins { token, cookie, sessions: Mutex::default(), wrong: Mutex::default() }
    }

    /// What a request shows, by `authorization` or a cookie. A token that is wrong is not counted here,
    /// because it may be a credential that the application knows.
    pub(crate) fn shown(&self, head: &Head, peer: &Peer, now: Instant) -> Shown {
        if self.session(head).is_some_and(|id| self.is_session(id, now)) {
            return Shown::Session;
        }
        let (scheme, given) = head.authorization.split_once(' ').unwrap_or_default();
        match scheme.eq_ignore_ascii_case("bearer") {
            true => self.look_at(given.trim(), peer, now),
            false => Shown::Nothing,
        }
    }

    /// The session in the cookies of a request. HTTP/2 may send each cookie in a field of its own (RFC 9113
    /// 8.2.3).
    fn session<'h>(&self, head: &'h Head) -> Option<&'h str> {
        let mut cookies = head.cookies.iter().flat_map(|field| field.split(';'));
        cookies.find_map(|cookie| cookie.trim().strip_prefix(&*self.cookie)?.strip_prefix('='))
    }

    fn is_session(&self, id: &str, now: Instant) -> bool {
        let mut sessions = lock(&self.sessions);
        sessions.retain(|session| now < session.until);
        sessions.iter().fold(false, |found, session| found | secrets::same(&session.id, id))
    }

    pub fn look_at(&self, given: &str, peer: &Peer, now: Instant) -> Shown {
        let host = network(peer);
        let is_recent = |one: &&Wrong| now.saturating_duration_since(one.since) < MINUTE;
        let wrong =
            lock(&self.wrong).iter().filter(is_recent).find(|one| one.host == host).map(|one| one.count);
        match secrets::same(&self.token, given) {
            _ if wrong >= Some(MOST_WRONG) => Shown::TooMany,
            true => Shown::Token,
            false => Shown::WrongToken,
        }
    }

    /// Counts a wrong token from this address.
    pub fn count(&self, peer: &Peer, now: Instant) {
        let mut wrong = lock(&self.wrong);
        wrong.retain(|one| now.saturating_duration_since(one.since) < MINUTE);
        let host = network(peer);
        match wrong.iter_mut().find(|one| one.host == host) {
            Some(one) => one.count += 1,
            None => {
                if wrong.len() == MOST_COUNTED {
                    wrong.remove(0);
                }
                wrong.push(Wrong { host, since: now, count: 1 });
            }
        }
    }

    /// Begins a session: the value of `set-cookie`. Without `Path` the cookie is for what lies beside
    /// `/login` as the browser sees it, also where a proxy has the server below a path of its own (RFC 6265
    /// 5.1.4).
    pub fn begin(&self, secure: bool, now: Instant) -> Result<String, Status> {
        let id = secrets::random()?;
        let cookie = self.set_cookie(&id, LIFE, secure);
        let mut sessions = lock(&self.sessions);
        if sessions.len() == MOST_SESSIONS {
            sessions.remove(0);
        }
        sessions.push(Session { id, until: now + LIFE });
        Ok(cookie)
    }

    pub fn end(&self, head: &Head) {
        if let Some(id) = self.session(head) {
            lock(&self.sessions).retain(|session| !secrets::same(&session.id, id));
        }
    }

    pub fn set_cookie(&self, id: &str, life: Duration, secure: bool) -> String {
        let (name, secure) = (&self.cookie, if secure { "; Secure" } else { "" });
        format!("{name}={id}; Max-Age={}; HttpOnly; SameSite=Strict{secure}", life.as_secs())
    }
}

/// Whose tries are counted together: an address, of IPv6 a network, of which one machine has all addresses.
fn network(peer: &Peer) -> String {
    match peer {
        Peer::Ip(address) => match address.ip().to_canonical() {
            IpAddr::V6(v6) => format!("{:x?}", &v6.segments()[..4]),
            v4 => v4.to_string(),
        },
        other => other.host(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(text: &str) -> Peer {
        Peer::Ip(text.parse().unwrap())
    }

    const TOKEN: &str = "correct horse battery";

    fn with_cookie(cookie: &str) -> Head {
        let mut head = Head::default();
        head.cookies.push(format!("theme=dark; {cookie}; x=y"));
        head
    }

    /// The cookie as the browser sends it.
    fn cookie(logins: &Logins, now: Instant) -> String {
        logins.begin(false, now).unwrap().split(';').next().unwrap().to_owned()
    }

    #[test]
    fn a_session_is_one_of_this_process_and_ends() {
        let (start, here) = (Instant::now(), peer("10.0.0.1:1"));
        let (ours, other) = (Logins::new(TOKEN.into(), 7), Logins::new(TOKEN.into(), 7));
        let (own, foreign) = (cookie(&ours, start), cookie(&other, start));
        let shown = |cookie: &str, now| ours.shown(&with_cookie(cookie), &here, now);
        assert_eq!(shown(&own, start), Shown::Session);
        assert_eq!(shown(&foreign, start), Shown::Nothing, "of another server with the same token and name");
        for tampered in [
            own[..own.len() - 1].to_owned(),
            format!("{own}0"),
            own.to_uppercase(),
            own.replace("polywire-7=", "polywire-8="),
            "polywire-7=".to_owned(),
            format!("polywire-7={TOKEN}"),
        ] {
            assert_eq!(shown(&tampered, start), Shown::Nothing, "{tampered}");
        }
        let end = start + LIFE;
        assert_eq!(shown(&own, end - Duration::from_millis(1)), Shown::Session, "use does not prolong it");
        assert_eq!(shown(&own, end), Shown::Nothing);
        let again = cookie(&ours, end);
        ours.end(&with_cookie(&again));
        assert_eq!(shown(&again, end), Shown::Nothing);
        let first = cookie(&ours, end);
        let all: Vec<_> = (0..MOST_SESSIONS).map(|_| cookie(&ours, end)).collect();
        assert_eq!(shown(&first, end), Shown::Nothing);
        assert!(all.iter().all(|one| shown(one, end) == Shown::Session));
    }

    #[test]
    fn wrong_tokens_of_an_address_are_limited_and_sessions_are_not() {
        let (now, logins) = (Instant::now(), Logins::new(TOKEN.into(), 7));
        let own = cookie(&logins, now);
        let bearer = |token: &str| {
            let mut head = Head::default();
            head.authorization.push_str(&format!("Bearer {token}"));
            head
        };
        let at = |token: &str, from: &str, now| {
            let shown = logins.shown(&bearer(token), &peer(from), now);
            if shown == Shown::WrongToken {
                logins.count(&peer(from), now);
            }
            shown
        };
        for port in 0..MOST_WRONG {
            assert_eq!(at("wrong", &format!("10.0.0.1:{port}"), now), Shown::WrongToken);
            assert_eq!(at("wrong", &format!("[2001:db8::{port}]:1"), now), Shown::WrongToken);
        }
        for from in ["10.0.0.1:9", "[2001:db8::abcd]:1"] {
            assert_eq!(at(TOKEN, from, now), Shown::TooMany, "a guess that is right is not told");
            assert_eq!(logins.shown(&with_cookie(&own), &peer(from), now), Shown::Session);
            assert_eq!(at(TOKEN, from, now + MINUTE), Shown::Token);
        }
        assert_eq!(at(TOKEN, "10.0.0.2:1", now), Shown::Token);
        for wrong in ["", &TOKEN[1..], &format!("{TOKEN}x"), &TOKEN.to_uppercase()] {
            assert_eq!(at(wrong, "10.0.0.3:1", now), Shown::WrongToken, "{wrong}");
        }
        for n in 0..2 * MOST_COUNTED {
            at("wrong", &format!("10.1.{}.{}:1", n / 256, n % 256), now);
        }
        assert_eq!(lock(&logins.wrong).len(), MOST_COUNTED);
    }
}
