//! Messages that cannot go on as they are compressed. What they become is charged to the memory budget of the
//! caller's server before it is reserved.

use crate::{failure, writing::on_a_thread};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_formats::FormatError;
use polywire_server::{Call, Charge, Inflater};
use polywire_wire::{Compression, Part};
use std::{future::Future, pin::Pin};

/// Compressed messages of this length or more are decompressed on a thread for blocking work: shorter ones
/// become 1 MiB at most.
const LONG: usize = 4 << 10;

/// Who has sent a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// Its message waits, compressed, while its connection holds many.
    Caller,
    Server,
}

/// A part of a stream that is being decompressed.
pub(crate) type Decompressing = Pin<Box<dyn Future<Output = Result<(Part, Charge), Status>> + Send>>;

/// A message without compression.
///
/// # Errors
/// It is damaged, or longer than the limits of the call, or there is no memory for it.
pub(crate) async fn decompressed(
    call: &Call,
    from: From,
    compression: Compression,
    message: IoBuf,
) -> Result<(IoBuf, Option<Charge>), Status> {
    if compression == Compression::NONE {
        return Ok((message, None));
    }
    let (plain, charge) = inflated(call.inflater(), from, compression, message).await?;
    Ok((plain, Some(charge)))
}

/// [`decompressed`] for a stream, which polls it.
#[cold]
pub(crate) fn decompressing(call: &Call, from: From, part: Part) -> Decompressing {
    let inflater = call.inflater();
    Box::pin(async move {
        let (bytes, charge) = inflated(inflater, from, part.compression, part.bytes).await?;
        Ok((Part { bytes, compression: Compression::NONE, ..part }, charge))
    })
}

/// A message of the server in a form that the caller reads: as it is, if the caller reads its compression.
///
/// # Errors
/// As for [`decompressed`].
pub(crate) async fn readable(
    call: &Call,
    compression: Compression,
    message: IoBuf,
) -> Result<(IoBuf, Compression, Option<Charge>), Status> {
    if call.cx.accepts().contains(compression) {
        return Ok((message, compression, None));
    }
    let (plain, charge) = decompressed(call, From::Server, compression, message).await?;
    Ok((plain, Compression::NONE, charge))
}

async fn inflated(
    inflater: Inflater,
    from: From,
    compression: Compression,
    message: IoBuf,
) -> Result<(IoBuf, Charge), Status> {
    let (inflater, blame): (_, fn(FormatError) -> Status) = match from {
        From::Caller => (inflater.in_turn().await, FormatError::request),
        From::Server => (inflater, FormatError::reply),
    };
    let is_long = message.len() >= LONG;
    let inflate = move || {
        let inflated = inflater.inflate(compression, message);
        inflated.map_err(|error| failure::unreadable(blame(error)))
    };
    if is_long { on_a_thread(inflate).await } else { inflate() }
}
