//! `/hotspots`: which functions use the process' CPU time, and who holds its memory, as flame graph, table
//! and folded stacks.

use crate::{
    asked::Asked,
    page::{Group, Page},
};
use polywire_call::{Native, Status};
use polywire_console::{Action, Column, Flame, FlameBox, Section, Table, Value, View, Whose};
use polywire_profile::{Kind, Node, Profile, Run, Taken, current, heap, kept, mark, start};
use std::{io, time::Duration};

/// Length of a profile, if the request names none, in seconds.
const LENGTH: u64 = 10;
/// Rows of the table of functions.
const MOST_FUNCTIONS: usize = 500;
/// Rows of the table of methods.
const MOST_METHODS: usize = 50;
/// The share below which functions are put together in a flame graph.
const SMALL: f64 = 0.001;

pub(crate) fn page() -> Page {
    let help = "what uses the CPU and who holds memory: /cpu, /heap, /growth, /contention; POST seconds=N to profile; ?folded";
    Page::new("hotspots", help, view).change(change).title("Hotspots").group(Group::Bar)
}

fn change(asked: &Asked) -> Result<View, Status> {
    match of_kind(&asked.rest)? {
        Kind::Growth => {
            mark();
            return Ok(View::new("Hotspots").note("From now on growth is what is held beyond now."));
        }
        Kind::Cpu | Kind::Contention => {}
        _ => {
            return Err(
                Status::invalid_argument("this profile needs no start").with_native(Native::Http(400))
            );
        }
    }
    if asked.fields.has("stop") {
        return Ok(match current() {
            Some(run) => {
                run.stop();
                View::new("Hotspots").note("The profile ends now.").again(1)
            }
            None => View::new("Hotspots").note("No profile is being taken."),
        });
    }
    let length = length(asked.fields.get("seconds"))?;
    let run = start(length).map_err(|error| status(&error))?;
    let text = format!("Profile {} is being taken, for {} s.", run.number(), run.length().as_secs());
    Ok(View::new("Hotspots").note(text).again(wait(&run)))
}

/// brpc: "Bad seconds -> 400".
pub(crate) fn length(seconds: Option<&str>) -> Result<Duration, Status> {
    let seconds = seconds.filter(|text| !text.is_empty()).map_or(Ok(LENGTH), str::parse);
    match seconds {
        Ok(seconds @ 1..=300) => Ok(Duration::from_secs(seconds)),
        _ => {
            Err(Status::invalid_argument("seconds is a number from 1 to 300").with_native(Native::Http(400)))
        }
    }
}

pub(crate) fn status(error: &io::Error) -> Status {
    match error.kind() {
        io::ErrorKind::ResourceBusy => {
            let text = "a profile is being taken; one at a time";
            Status::aborted(text).with_native(Native::Http(409))
        }
        io::ErrorKind::Unsupported => Status::unimplemented(error.to_string()),
        _ => Status::unavailable(error.to_string()),
    }
}

fn of_kind(rest: &str) -> Result<Kind, Status> {
    match rest {
        "" | "cpu" => Ok(Kind::Cpu),
        "heap" => Ok(Kind::Heap),
        "growth" => Ok(Kind::Growth),
        "contention" => Ok(Kind::Contention),
        _ => Err(Status::not_found("there is no such profile; there are cpu, heap, growth and contention")),
    }
}

fn view(asked: &Asked) -> Result<View, Status> {
    match of_kind(&asked.rest)? {
        kind @ (Kind::Cpu | Kind::Contention) => of_run(asked, kind),
        kind => of_memory(asked, kind),
    }
}

fn of_run(asked: &Asked, kind: Kind) -> Result<View, Status> {
    let kept = kept();
    let number = asked.query.get("profile").map(str::parse::<u64>);
    let found = match number {
        None => kept.first(),
        Some(Ok(number)) => Some(
            kept.iter()
                .find(|(known, _)| *known == number)
                .ok_or_else(|| Status::not_found("this profile is not kept; the last eight are"))?,
        ),
        Some(Err(_)) => {
            return Err(Status::invalid_argument("profile is a number").with_native(Native::Http(400)));
        }
    };
    let of = |taken: &Taken| if kind == Kind::Cpu { taken.cpu.clone() } else { taken.contention.clone() };
    let found = found.map(|(number, taken)| (number, of(taken)));
    if let (true, Some((_, profile))) = (asked.query.has("folded"), &found) {
        return Ok(View::new("Hotspots").plain(profile.folded()));
    }
    let mut view = View::new(if kind == Kind::Cpu { "CPU time" } else { "Waiting for locks" });
    if kind == Kind::Contention {
        view = view.note("Waits for polywire's own locks, noted by each profile of the CPU time; those of other locks are not seen.");
    }
    match current() {
        Some(run) => view = running(view, &run),
        None => {
            let action =
                Action::new("hotspots/cpu", "Profile the CPU time").field("seconds", LENGTH.to_string());
            view = view.action(action);
        }
    }
    match found {
        Some((number, profile)) => {
            view = view.fact("profile", *number).fact("length", Value::Seconds(profile.length.as_secs_f64()));
            view = shown(view, &profile);
        }
        None => view = view.note("No profile has been taken since the start."),
    }
    if kept.len() > 1 {
        let columns = [
            Column::new("profile").to("hotspots/cpu?profile="),
            Column::new("length"),
            Column::new("samples"),
        ];
        let mut table = Table::new("profiles", columns);
        for (number, taken) in &kept {
            let profile = &taken.cpu;
            let cells = [
                Value::Digits(number.to_string().into()),
                Value::Seconds(profile.length.as_secs_f64()),
                profile.total(0).unsigned_abs().into(),
            ];
            table = table.row(number.to_string(), cells);
        }
        view = view.table(table);
    }
    Ok(view)
}

fn of_memory(asked: &Asked, kind: Kind) -> Result<View, Status> {
    let profile = heap(kind == Kind::Growth).map_err(|error| status(&error))?;
    if asked.query.has("folded") {
        return Ok(View::new("Hotspots").plain(profile.folded()));
    }
    let mut view = View::new(if kind == Kind::Growth { "Growth of memory" } else { "Memory" });
    if kind == Kind::Growth {
        view = view
            .note("Memory that is held and was not at the last mark; before the first one, since the start.")
            .action(Action::new("hotspots/growth", "Mark").hidden("mark", "1"));
    }
    Ok(shown(view, &profile))
}

/// Seconds after which a browser looks again.
fn wait(run: &Run) -> u32 {
    run.left().as_secs() as u32 + 1 // at most 301
}

fn running(view: View, run: &Run) -> View {
    let text = match run.left().as_secs_f64() {
        left if left > 0.0 => format!("Profile {} is being taken, for {left:.0} s more.", run.number()),
        _ => format!("Names are being looked up for profile {}.", run.number()),
    };
    let stop = Action::new("hotspots/cpu", "Stop it").hidden("stop", "1");
    view.note(text).again(wait(run)).action(stop)
}

/// A value of a profile in the form for pages.
fn value(kind: Kind, value: i64) -> Value {
    match kind {
        Kind::Heap | Kind::Growth => Value::Bytes(value.unsigned_abs()),
        _ => Value::Seconds(value as f64 / 1e9),
    }
}

fn shown(view: View, profile: &Profile) -> View {
    let all = profile.total(1);
    let [(samples, _), (unit, _)] = profile.kind.values();
    let mut view = view.fact(samples, profile.total(0).unsigned_abs()).fact(unit, value(profile.kind, all));
    for (name, value) in &profile.facts {
        view = view.fact(*name, *value);
    }
    let share = |value: i64| value as f64 / all.max(1) as f64;
    let boxes =
        profile.tree(SMALL, Flame::MOST_BOXES).into_iter().map(|node| flame_box(profile, node, share));
    let flame = Flame { name: profile.kind.name().into(), boxes: boxes.collect() };
    let columns = [
        Column::new("function"),
        Column::new("self").hint("of the whole: this function itself"),
        Column::new("total").hint("of the whole: this function and what it calls"),
    ];
    let mut table = Table::new("functions", columns).empty("There is no sample: nothing of this was used.");
    let top = profile.top();
    table.total = Some(top.len());
    for (name, own, total) in top.into_iter().take(MOST_FUNCTIONS) {
        let cells = [name.to_owned().into(), Value::Ratio(share(own)), Value::Ratio(share(total))];
        table = table.row(name.to_owned(), cells);
    }
    let view = view.section(Section::Flame(flame));
    let methods = profile.methods();
    if methods.is_empty() {
        return view.table(table);
    }
    let columns = [
        Column::new("method").to("status/"),
        Column::new("share")
            .hint("of the whole: while a handler of the method ran; the rest is of no handler"),
    ];
    let mut by_method = Table::new("methods", columns);
    by_method.total = Some(methods.len());
    for (method, value) in methods.into_iter().take(MOST_METHODS) {
        by_method = by_method.row(method.to_owned(), [method.into(), Value::Ratio(share(value))]);
    }
    view.table(by_method).table(table)
}

fn flame_box(profile: &Profile, node: Node, share: impl Fn(i64) -> f64) -> FlameBox {
    let whose = node.name.as_deref().map_or(Whose::Rest, whose);
    FlameBox {
        depth: node.depth,
        start: share(node.start),
        share: share(node.value),
        name: node.name.unwrap_or_else(|| "(others)".to_owned()),
        value: value(profile.kind, node.value),
        whose,
    }
}

/// By its path: that of `<a::B as c::D>::e` is `a`.
fn whose(name: &str) -> Whose {
    let path = name.trim_start_matches(['<', '&', '*']).trim_start_matches("mut ").trim_start_matches("dyn ");
    let root = path.split("::").next().unwrap_or("");
    match root {
        _ if root.starts_with("polywire") => Whose::Framework,
        "core" | "std" | "alloc" | "tokio" | "mio" | "hashbrown" | "compiler_builtins" | "backtrace" => {
            Whose::Runtime
        }
        // Without a path: of C, or of the system.
        _ if !path.contains("::") && name != "main" => Whose::Runtime,
        _ => Whose::Own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_apart_by_their_path() {
        for (name, expected) in [
            ("shop::Orders::place", Whose::Own),
            ("<shop::Orders as polywire::Service>::call", Whose::Own),
            ("main", Whose::Own),
            ("polywire_engine::pump::run", Whose::Framework),
            ("<&mut alloc::vec::Vec<T>>::push", Whose::Runtime),
            ("tokio::runtime::run", Whose::Runtime),
            ("clone3", Whose::Runtime),
            ("[libc.so.6+0x1234]", Whose::Runtime),
        ] {
            assert_eq!(whose(name), expected, "{name}");
        }
    }
}
