//! Code of an application that runs on a thread of ours: its panic ends that code, not the thread.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs code whose panic must end nothing else. What it was changing may be half done.
///
/// # Errors
/// The text of its panic, which may quote data of callers: for logs, not for peers.
pub fn caught<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| text_of(&*panic))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::panic_any;

    #[test]
    fn a_panic_is_its_text() {
        assert_eq!(caught(|| 1), Ok(1));
        assert_eq!(caught(|| panic!("plain")), Err::<(), _>("plain".into()));
        assert_eq!(caught(|| panic!("made {}", 2)), Err::<(), _>("made 2".into()));
        assert_eq!(caught(|| panic_any(3)), Err::<(), _>("no text".into()));
    }
}
