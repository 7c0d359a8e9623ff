//! The machine of MongoDB's protocol as server; what follows the plan as sections of a message, and as a
//! document.

use polywire_formats::bson::Document;
use polywire_protocols::mongo::{MAX_SECTIONS, PROTOCOL, Sections};

pub fn run(input: &[u8]) {
    crate::play(&PROTOCOL, input);
    let rest = input.get(8..).unwrap_or_default();
    let mut number = 0;
    for section in Sections::new(rest) {
        number += 1;
        let Ok(section) = section else { break };
        let bytes: usize = section.documents().map(|document| document.as_bytes().len()).sum();
        assert!(bytes <= rest.len() && number <= MAX_SECTIONS);
    }
    if let Ok(document) = Document::from_bytes(rest.to_vec().into()) {
        let copied = document.iter().fold(Document::builder(), |copy, (name, value)| copy.put(name, value));
        assert_eq!(copied.build(), document, "all of it can be read");
    }
}
