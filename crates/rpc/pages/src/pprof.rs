//! `/pprof`: profiles for `go tool pprof http://HOST/pprof/profile?seconds=N` and what else reads that
//! format. Browsers start none here.

use crate::{
    asked::Asked,
    hotspots::{length, status},
    page::{Group, Page},
};
use polywire_call::{Native, Status, brpc};
use polywire_console::View;
use polywire_metrics::process::command_line;
use polywire_profile::{Run, heap, pprof, start};

pub(crate) fn page() -> Page {
    let help =
        "profiles for go tool pprof: profile?seconds=N, contention?seconds=N, heap, growth, symbol, cmdline";
    Page::later("pprof", help, view).group(Group::More)
}

async fn view(asked: Asked) -> Result<View, Status> {
    let may_start = || match () {
        () if asked.from_browser => {
            let text = "a profile is costly: browsers see it on /hotspots, and start one there by its button";
            Err(brpc::status(brpc::EPERM, text))
        }
        () if !asked.may_act => {
            Err(brpc::status(brpc::EPERM, "who asks may read pages, and start no profile"))
        }
        () => Ok(()),
    };
    let profile = match &*asked.rest {
        what @ ("profile" | "contention") => {
            may_start()?;
            let missing = || Status::invalid_argument("say ?seconds=N").with_native(Native::Http(400));
            let seconds = asked.query.get("seconds").ok_or_else(missing)?;
            // Who goes away does not want it.
            let run = Stop(start(length(Some(seconds))?).map_err(|error| status(&error))?);
            let taken = run.0.profile().await.map_err(|error| status(&error))?;
            if what == "profile" { taken.cpu.clone() } else { taken.contention.clone() }
        }
        "heap" | "growth" => {
            may_start()?;
            heap(asked.rest == "growth").map_err(|error| status(&error))?
        }
        "" => {
            let text = "Profiles in pprof's format: /pprof/profile?seconds=N, /pprof/contention?seconds=N, /pprof/heap and /pprof/growth.";
            return Ok(View::new("pprof").note(text));
        }
        // "GET: num_symbols: 1": pprof's way to ask whether there are names.
        "symbol" if asked.query_text.is_empty() => {
            return Ok(View::new("Symbols").plain("num_symbols: 1\n".to_owned()));
        }
        // "newline-separated": as gperftools' pprof asks for it, and brpc answers.
        "cmdline" => return Ok(View::new("Command line").plain(command_line('\n'))),
        _ => {
            return Err(Status::not_found(
                "there are /pprof/profile?seconds=N, contention?seconds=N, heap, growth, symbol and cmdline",
            ));
        }
    };
    Ok(View::new("Profile").file("application/octet-stream", pprof::encode(&profile)))
}

struct Stop(Run);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
