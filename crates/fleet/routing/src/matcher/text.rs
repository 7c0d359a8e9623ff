//! Comparisons of texts, with letters of ASCII equal in both cases or not.

pub(crate) fn same(value: &[u8], text: &str, ignores_case: bool) -> bool {
    match ignores_case {
        true => value.eq_ignore_ascii_case(text.as_bytes()),
        false => value == text.as_bytes(),
    }
}

pub(crate) fn begins(value: &[u8], text: &str, ignores_case: bool) -> bool {
    value.get(..text.len()).is_some_and(|begin| same(begin, text, ignores_case))
}

pub(crate) fn ends(value: &[u8], text: &str, ignores_case: bool) -> bool {
    let begin = value.len().checked_sub(text.len());
    begin.is_some_and(|begin| same(&value[begin..], text, ignores_case))
}

pub(crate) fn contains(value: &[u8], text: &str, ignores_case: bool) -> bool {
    text.is_empty() || value.windows(text.len()).any(|part| same(part, text, ignores_case))
}
