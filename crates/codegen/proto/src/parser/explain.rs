//! Explains errors for valid protobuf that protox does not support.

/// The error of a file, followed by known facts about its cause.
pub(super) fn error(error: &protox::Error) -> String {
    let text = match error.file() {
        Some(file) => {
            let text = format!("{error:?}");
            // An error at the end of a file has no place, and then not even the name.
            if text.contains(file) { text } else { format!("{file}: {text}") }
        }
        None => error.to_string(),
    };
    match NOT_READ.iter().find(|(what, _)| text.contains(what)) {
        Some((_, note)) => format!("{text}\n{note}"),
        None => text,
    }
}

/// Errors of protox 0.10 about valid proto2.
const NOT_READ: [(&str, &str); 2] = [
    (
        "expected 'to', ',' or ';', but found '['",
        "this is protobuf, but cannot be read here: write a range, `extensions 5 to 5 [..]`",
    ),
    (
        "identifiers may not be negative",
        "as the value of an option, `-inf` and `-nan` are protobuf, but cannot be read here: leave the option out",
    ),
];
