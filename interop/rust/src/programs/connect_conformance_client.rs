//! The client under test of `connectconformance --mode client`: reads from standard input which calls to
//! make, and reports the result of each.

use crate::{
    conformance::client::Caller,
    connectrpc::conformance::v1::{
        ClientCompatRequest, ClientCompatResponse, ClientErrorResult,
        client_compat_response::Result as Outcome,
    },
    framed,
};
use polywire::{Message, Result};
use std::{
    io::{stdin, stdout},
    sync::Arc,
    time::Duration,
};
use tokio::{runtime::Runtime, sync::Semaphore, time::timeout};

/// Concurrent calls. Most of them wait for delays that the suite asks for.
const AT_ONCE: u32 = 32;
/// Longer than any successful call takes.
const CALL_LIMIT: Duration = Duration::from_secs(20);

pub fn main() -> Result<()> {
    let runtime = Runtime::new()?;
    let caller = Arc::new(Caller::default());
    let places = Arc::new(Semaphore::new(AT_ONCE as usize));
    while let Some(message) = framed::read(&mut stdin().lock(), u32::from_be_bytes)? {
        let request = ClientCompatRequest::from_wire(&message)?;
        let place = runtime.block_on(places.clone().acquire_owned())?;
        let caller = caller.clone();
        runtime.spawn(async move {
            let response = respond(&caller, &request).await;
            let written = response.to_wire().map_err(Into::into).and_then(|bytes| {
                framed::write(&mut stdout().lock(), u32::to_be_bytes, &bytes).map_err(polywire::Error::from)
            });
            if let Err(error) = written {
                eprintln!("{}: {error}", request.test_name);
            }
            drop(place);
        });
    }
    drop(runtime.block_on(places.acquire_many(AT_ONCE))?);
    Ok(())
}

async fn respond(caller: &Caller, request: &ClientCompatRequest) -> ClientCompatResponse {
    let outcome = match timeout(CALL_LIMIT, caller.call(request)).await {
        Ok(Ok(result)) => Outcome::Response(Box::new(result)),
        Ok(Err(error)) => failed(error.to_string()),
        Err(_) => failed(format!("not done after {CALL_LIMIT:?}")),
    };
    ClientCompatResponse { test_name: request.test_name.clone(), result: Some(outcome) }
}

fn failed(message: String) -> Outcome {
    Outcome::Error(Box::new(ClientErrorResult { message }))
}
