//! UUIDs as constants.

/// Reads `00112233-4455-6677-8899-aabbccddeeff`, in upper or lower case, with or without braces around it.
pub(crate) fn parse(text: &str) -> Option<[u8; 16]> {
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let parts: Vec<&str> = inside.split('-').collect();
    if !parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) {
        return None;
    }
    let digits = parts.concat();
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(&digits, 16).ok().map(u128::to_be_bytes)
}
