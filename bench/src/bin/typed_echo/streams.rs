//! Calls that stream, message by message, as tonic's client in `tonic_echo` makes them.

use polywire::Status;
use polywire_bench::Kind;

use crate::example::{Line, RepeatRequest, StreamClient};

/// One call with all its messages. An error says so if messages were lost or changed their length.
pub async fn call(streams: &StreamClient, kind: Kind, text: &str, messages: u32) -> Result<(), Status> {
    let line = || Line { message: text.to_owned() };
    match kind {
        Kind::Unary => unreachable!("a unary call does not stream"),
        Kind::Repeat => {
            let request = RepeatRequest { message: text.to_owned(), count: messages, interval_ms: 0 };
            let mut lines = streams.repeat(request).await?;
            let mut heard = 0;
            while let Some(line) = lines.next().await.transpose()? {
                complete(line.message.len() == text.len())?;
                heard += 1;
            }
            complete(heard == messages)
        }
        Kind::Collect => {
            let mut upload = streams.collect().await?;
            for _ in 0..messages {
                upload.send(line()).await?;
            }
            complete(upload.finish().await?.messages == u64::from(messages))
        }
        Kind::Chat => {
            let mut chat = streams.chat().await?;
            for _ in 0..messages {
                chat.send(line()).await?;
                let answer = chat.next().await.transpose()?;
                complete(answer.is_some_and(|answer| answer.message.len() == text.len()))?;
            }
            Ok(())
        }
    }
}

fn complete(whole: bool) -> Result<(), Status> {
    if whole { Ok(()) } else { Err(Status::internal("messages were lost")) }
}
