//! What an attacker answers in place of a registry that speaks HTTP.

#![allow(dead_code)] // each test binary uses its part

use super::{addresses, http::Reply, until_error};
use polywire_naming::Watched;
use std::time::Duration;
use tokio::sync::mpsc;

const SEVERAL_TRIES: Duration = Duration::from_secs(150);

/// Answers that are no answers, and a part of what is said of each.
pub const ANSWERS: [(fn() -> Reply, &str); 8] = [
    (|| Reply::Whole(200, vec![("content-type", "text/html".into())], b"<html>Log in</html>".to_vec()), ""),
    (|| Reply::Whole(200, vec![("content-type", "image/png".into())], b"\x89PNG\r\n\x1a\n\0\0".to_vec()), ""),
    (|| Reply::Whole(302, vec![("location", "http://10.0.0.9/".into())], Vec::new()), "302"),
    (|| Reply::Whole(200, vec![("content-encoding", "gzip".into())], vec![0x1f, 0x8b, 8, 0, 1, 2, 3]), ""),
    // A gigabyte: announced, of which nothing is read; and one that is not announced, which ends at the
    // limit.
    (
        || Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n[".to_vec()),
        "RESOURCE_EXHAUSTED",
    ),
    (|| endless(Duration::ZERO, 1 << 20), "RESOURCE_EXHAUSTED"),
    (|| endless(Duration::from_secs(1), 1), "DEADLINE_EXCEEDED"),
    (|| Reply::Hang, "DEADLINE_EXCEEDED"),
];

/// Sees each of the [`ANSWERS`] leave the last good set in use, be told, and do no harm to the next good
/// answer. `instead`: from now on this is answered, or, `None`, the truth again.
pub async fn do_no_harm(watched: &mut Watched, mut instead: impl FnMut(Option<fn() -> Reply>)) {
    let before = addresses(watched);
    for (number, (answer, expected)) in ANSWERS.into_iter().enumerate() {
        instead(Some(answer));
        until_error(watched, "").await;
        tokio::time::sleep(SEVERAL_TRIES).await;
        let said = watched.error().expect("an error stays").to_string();
        assert!(said.contains(expected) && said.len() < 1000, "{number}: {said}");
        assert_eq!(addresses(watched), before, "{number}");
        instead(None);
        while watched.error().is_some() {
            watched.changed().await;
        }
        assert_eq!(addresses(watched), before, "{number}");
    }
}

/// Blanks without end, so many bytes at once.
fn endless(pause: Duration, bytes: usize) -> Reply {
    let (sender, chunks) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        // 80 MiB of the large ones: more than any answer may have.
        let count = if pause.is_zero() { 80 } else { 1_000_000 };
        for _ in 0..count {
            if sender.send(vec![b' '; bytes]).is_err() {
                return;
            }
            tokio::time::sleep(pause).await;
        }
    });
    Reply::Chunks(chunks)
}
