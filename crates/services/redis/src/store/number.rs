//! Numbers and ranges in the form of commands' arguments.

/// An integer in its canonical form, the only one that redis accepts.
pub(super) fn number(bytes: &[u8]) -> Option<i64> {
    let digits = match bytes {
        [b'-', digits @ ..] => digits,
        digits => digits,
    };
    match digits {
        [b'0'] => (bytes.len() == 1).then_some(0),
        [b'1'..=b'9', rest @ ..] if rest.len() < 19 && rest.iter().all(u8::is_ascii_digit) => {
            std::str::from_utf8(bytes).ok()?.parse().ok()
        }
        _ => None,
    }
}

/// A float as redis reads it: no blanks, no NaN, fewer than 256 bytes.
pub(super) fn float(bytes: &[u8]) -> Option<f64> {
    if bytes.len() > 255 {
        return None;
    }
    std::str::from_utf8(bytes).ok()?.parse().ok().filter(|value: &f64| !value.is_nan())
}

/// Resolves a range whose ends count from the back if negative, within `len` items. Returns the first index
/// and the one after the last.
pub(super) fn range(start: i64, end: i64, len: usize) -> (usize, usize) {
    let len = len as i64;
    let from_back = |at: i64| if at < 0 { len.saturating_add(at) } else { at };
    let start = from_back(start).clamp(0, len);
    let end = from_back(end).saturating_add(1).clamp(start, len);
    (start as usize, end as usize)
}
