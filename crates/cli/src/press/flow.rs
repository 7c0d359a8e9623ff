//! `press -p zmtp -m PUSH` and `-m SUB`: messages without replies; `press -p websocket`: messages of streams.

use super::Arguments;
use crate::{
    failure::Failure,
    flow::{self, Flow, Pattern},
    protocols, units, websocket,
};
use polywire::Engine;
use std::{io::Write, process::ExitCode};

/// Default message of a PUSH.
const MESSAGE: [u8; 100] = [b'x'; 100];

/// The pattern that the arguments ask for, if any.
pub fn pattern(arguments: &Arguments) -> Option<Pattern> {
    Pattern::of(&arguments.peer.protocol, arguments.method.as_deref())
}

/// Runs the flow, and reports the number of messages.
pub fn run(arguments: &Arguments, pattern: Pattern) -> Result<ExitCode, Failure> {
    let over_channel = matches!(pattern, Pattern::Stream(_));
    let calls_only = [
        ("--qps", arguments.qps.is_some()),
        ("--count", arguments.count.is_some()),
        ("--steps", !arguments.steps.is_empty()),
        ("--blocking", arguments.blocking),
        ("--attachment-size", arguments.attachment_size > 0),
        ("--output", arguments.output.is_some()),
        ("--balancer", arguments.peer.balancer.is_some() && !over_channel),
        ("--hedge", arguments.peer.hedge.is_some()),
        ("--key", arguments.form.key.is_some()),
        ("--credential", arguments.peer.credential.is_some()),
        ("--tls", arguments.peer.tls.connect().is_some() && !over_channel),
    ];
    if let Some((option, _)) = calls_only.iter().find(|(_, given)| *given) {
        return Err(Failure::usage(format!("{option}: for calls, and {} makes none", pattern.name())));
    }
    let message = match (&arguments.input, &pattern) {
        (Some(text), _) => text.clone().into(),
        (None, Pattern::Push) => MESSAGE.to_vec().into(),
        (None, Pattern::Sub) => Default::default(),
        (None, Pattern::Stream(method)) if method == websocket::METHOD => protocols::DEFAULT.request.into(),
        (None, Pattern::Stream(_)) => "{}".into(),
    };
    let flow = Flow {
        pattern: pattern.clone(),
        peer: arguments.peer.clone(),
        sockets: arguments.concurrency.unwrap_or(1) as usize,
        message,
        duration: arguments.time(),
    };
    let engine = Engine::builder().shards(arguments.threads_for(flow.sockets)).workers(1).build()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let flowed = runtime.block_on(async {
        if !over_channel {
            arguments.peer.probe().await?;
        }
        flow::run(&flow, &engine, &crate::stop::flag()?).await
    })?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let mut object = flowed.json();
        object["server"] = flow.peer.server.into();
        object["protocol"] = arguments.peer.protocol.clone().into();
        object["method"] = pattern.name().into();
        writeln!(out, "{object}")?;
    } else {
        let sockets = flowed.sockets();
        writeln!(
            out,
            "{} at {} over {}: {sockets}\n",
            pattern.name(),
            flow.peer.server,
            arguments.peer.protocol
        )?;
        let seconds = flowed.elapsed.as_secs_f64();
        writeln!(out, "messages    {} in {seconds:.2} s", units::count(flowed.messages))?;
        writeln!(out, "rate        {}", flowed.rate())?;
    }
    out.flush()?;
    Ok(if flowed.messages > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
