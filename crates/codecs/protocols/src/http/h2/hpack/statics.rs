//! The static table, and names found in it.
//!
//! Source: RFC 7541 appendix A

/// The entries; the first one has index 1.
#[rustfmt::skip]
pub(super) const ENTRIES: [(&str, &str); 61] = [
    (":authority", ""),
    (":method", "GET"),
    (":method", "POST"),
    (":path", "/"),
    (":path", "/index.html"),
    (":scheme", "http"),
    (":scheme", "https"),
    (":status", "200"),
    (":status", "204"),
    (":status", "206"),
    (":status", "304"),
    (":status", "400"),
    (":status", "404"),
    (":status", "500"),
    ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"),
    ("accept-language", ""),
    ("accept-ranges", ""),
    ("accept", ""),
    ("access-control-allow-origin", ""),
    ("age", ""),
    ("allow", ""),
    ("authorization", ""),
    ("cache-control", ""),
    ("content-disposition", ""),
    ("content-encoding", ""),
    ("content-language", ""),
    ("content-length", ""),
    ("content-location", ""),
    ("content-range", ""),
    ("content-type", ""),
    ("cookie", ""),
    ("date", ""),
    ("etag", ""),
    ("expect", ""),
    ("expires", ""),
    ("from", ""),
    ("host", ""),
    ("if-match", ""),
    ("if-modified-since", ""),
    ("if-none-match", ""),
    ("if-range", ""),
    ("if-unmodified-since", ""),
    ("last-modified", ""),
    ("link", ""),
    ("location", ""),
    ("max-forwards", ""),
    ("proxy-authenticate", ""),
    ("proxy-authorization", ""),
    ("range", ""),
    ("referer", ""),
    ("refresh", ""),
    ("retry-after", ""),
    ("server", ""),
    ("set-cookie", ""),
    ("strict-transport-security", ""),
    ("transfer-encoding", ""),
    ("user-agent", ""),
    ("vary", ""),
    ("via", ""),
    ("www-authenticate", ""),
];

/// Lowest index of an entry of this name.
#[inline]
pub(super) fn find(name: &[u8]) -> Option<usize> {
    let mut place = place(name);
    while let index @ 1.. = PLACES[place] as usize {
        if ENTRIES[index - 1].0.as_bytes() == name {
            return Some(index);
        }
        place = (place + 1) % PLACES.len();
    }
    None
}

/// Index of each name at its [`place`], or in the next free one after it; 0: nothing.
static PLACES: [u8; 256] = places();

const fn places() -> [u8; 256] {
    let mut places = [0; 256];
    let mut n = 0;
    while n < ENTRIES.len() {
        let name = ENTRIES[n].0.as_bytes();
        if n == 0 || !same(name, ENTRIES[n - 1].0.as_bytes()) {
            let mut place = place(name);
            while places[place] != 0 {
                place = (place + 1) % places.len();
            }
            places[place] = n as u8 + 1;
        }
        n += 1;
    }
    places
}

/// A hash of length, first and last byte, which differ in nearly all names.
#[inline]
const fn place(name: &[u8]) -> usize {
    let [first, .., last] = name else { return 0 };
    (name.len() * 31 + *first as usize * 7 + *last as usize * 3) % 256
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_at_its_first_index() {
        for (name, _) in ENTRIES {
            let first = ENTRIES.iter().position(|(n, _)| *n == name).map(|n| n + 1);
            assert_eq!(find(name.as_bytes()), first, "{name}");
        }
        for other in ["", "x", "te", "grpc-status", ":authoritz", "content-typf"] {
            assert_eq!(find(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn indices_of_the_rfc() {
        for (index, name, value) in [
            (1, ":authority", ""),
            (3, ":method", "POST"),
            (8, ":status", "200"),
            (14, ":status", "500"),
            (16, "accept-encoding", "gzip, deflate"),
            (31, "content-type", ""),
            (61, "www-authenticate", ""),
        ] {
            assert_eq!(ENTRIES[index - 1], (name, value));
        }
    }
}
