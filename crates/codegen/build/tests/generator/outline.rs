//! Generated code without what buffa writes by itself: of its messages and enums there are left the modules,
//! types and fields, in whose names and paths our options, renames and runtime are seen. What follows them is
//! ours, and stays as it is.

const OURS: &str = "/// The `FileDescriptorSet` of this package";

/// The outline of a package.
pub fn of(source: &str) -> String {
    let (messages, ours) = source.split_at(source.find(OURS).expect("every package has its descriptors"));
    let (head, messages) = messages.split_once('\n').expect("the line that says who made it");
    let mut outline =
        format!("{head}\n// Messages, enums and oneofs: without the code that buffa writes for them.\n\n");
    for line in declared(messages) {
        outline += line;
        outline.push('\n');
    }
    outline + "\n" + ours
}

/// The lines of modules, types and fields. The source is formatted: an item that begins in a line ends in the
/// next one of the same indentation with its closing bracket or semicolon.
fn declared(source: &str) -> impl Iterator<Item = &str> {
    let mut inside: Option<(usize, &[&str])> = None;
    source.lines().filter(move |line| {
        let text = line.trim_start();
        let indentation = line.len() - text.len();
        if let Some((outer, endings)) = inside {
            // Lines of a comment have any indentation.
            if (indentation == outer || endings == COMMENT) && ends(text, endings) {
                inside = None;
            }
            return false;
        }
        let endings = match text {
            text if text.starts_with("/*") => COMMENT,
            text if text.starts_with("#[") => &["]"],
            text if is_left_out(text) => &["}", ";"],
            text => return !text.is_empty() && !text.starts_with("//"),
        };
        if !ends(text, endings) {
            inside = Some((indentation, endings));
        }
        false
    })
}

const COMMENT: &[&str] = &["*/"];

fn ends(text: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| text.ends_with(ending))
}

/// Whether an item is the library's own: implementations, constants, calls of macros.
fn is_left_out(item: &str) -> bool {
    let words = ["impl ", "impl<", "unsafe impl", "use ", "pub use ", "const ", "pub const ", "pub static "];
    words.iter().any(|word| item.starts_with(word)) || (item.starts_with("::") && item.contains("!("))
}

#[test]
fn an_outline_has_declarations_and_what_is_ours() {
    let source = "// Made by us; changes are lost.\n/// Text.\n#[derive(\n    Clone,\n)]\npub struct A {\n    /// Field 1\n    \
        pub map: Map<\n        String,\n        ::std::vec::Vec<u8>,\n    >,\n}\nimpl Debug for A {\n    fn fmt() {\n    \
        }\n}\nimpl Message for A {}\n::macros::instance!(A);\npub mod a {\n    use super::*;\n    pub struct B {}\n    /**More\ntext.*/\n    \
        impl B {\n        pub const N: u8 = 1;\n    }\n}\n\n/// The `FileDescriptorSet` of this package.\nimpl Ours {}\n";
    let outline = "// Made by us; changes are lost.\n// Messages, enums and oneofs: without the code that buffa writes for them.\n\npub struct A {\n    \
        pub map: Map<\n        String,\n        ::std::vec::Vec<u8>,\n    >,\n}\npub mod a {\n    pub struct B {}\n}\n\n\
        /// The `FileDescriptorSet` of this package.\nimpl Ours {}\n";
    assert_eq!(of(source), outline);
}
