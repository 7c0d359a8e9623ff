//! Files of Google that come with this crate: programs import them without having them.

/// The files by name, with their text.
pub(crate) const FILES: [(&str, &str); 3] = [
    ("google/api/annotations.proto", include_str!("annotations.proto")),
    ("google/api/http.proto", include_str!("http.proto")),
    ("google/api/httpbody.proto", include_str!("httpbody.proto")),
];

/// Whether a file comes with this crate; a file of the user takes precedence.
pub(crate) fn has(name: &str) -> bool {
    FILES.iter().any(|(known, _)| *known == name)
}
