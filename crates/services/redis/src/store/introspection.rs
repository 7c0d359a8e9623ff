//! Commands about the connection and the server. The connection's machine answers some of them itself (HELLO,
//! AUTH, parts of CLIENT); this file has the cases that it leaves to the application.

use super::{
    call::{Call, Done, SYNTAX},
    catalogue::{COMMANDS, Catalogue},
    glob::{Pattern, Steps},
    keys::COUNT_SWEEP,
    spec::{Keys, Nature, Spec},
};
use crate::{COMPATIBLE_WITH, cut_text, wrong_arguments};
use std::{borrow::Cow, fmt::Write};

pub(super) fn ping(call: &mut Call<'_, '_, '_>) -> Done {
    match call.args {
        [_] => call.out.simple("PONG"),
        [_, text] => call.out.bulk(text),
        _ => return Err(wrong_arguments("ping").into()),
    }
    Ok(())
}

pub(super) fn echo(call: &mut Call<'_, '_, '_>) -> Done {
    call.out.bulk(call.args[1]);
    Ok(())
}

pub(super) fn quit(call: &mut Call<'_, '_, '_>) -> Done {
    call.ok()
}

pub(super) fn select(call: &mut Call<'_, '_, '_>) -> Done {
    match call.integer_arg(1)? {
        0 => call.ok(),
        _ => Err("ERR DB index is out of range".into()),
    }
}

pub(super) fn auth(call: &mut Call<'_, '_, '_>) -> Done {
    match call.args {
        [_, _] => {
            Err("ERR AUTH <password> called without any password configured for the default user. Are you \
             sure your configuration is correct?"
                .into())
        }
        [_, b"default", _] => call.ok(),
        [_, _, _] => Err("WRONGPASS invalid username-password pair or user is disabled.".into()),
        _ => Err(SYNTAX.into()),
    }
}

pub(super) fn hello(_: &mut Call<'_, '_, '_>) -> Done {
    Err("NOPROTO unsupported protocol version".into())
}

fn unknown_subcommand(call: &Call<'_, '_, '_>) -> Cow<'static, str> {
    let (name, subcommand) = (call.args[0], call.args[1]);
    let name = String::from_utf8_lossy(name).to_ascii_uppercase();
    let subcommand = cut_text(subcommand, 128);
    format!("ERR unknown subcommand '{subcommand}'. Try {name} HELP.").into()
}

pub(super) fn client(call: &mut Call<'_, '_, '_>) -> Done {
    let switch = call.args.len() == 3 && (call.is(2, "ON") || call.is(2, "OFF"));
    if (call.is(1, "NO-EVICT") || call.is(1, "NO-TOUCH")) && switch {
        return call.ok();
    }
    Err(unknown_subcommand(call))
}

pub(super) fn time(call: &mut Call<'_, '_, '_>) -> Done {
    let (seconds, micros) = (call.now.unix_ms() / 1000, call.now.unix_ms() % 1000 * 1000);
    call.out.array(2);
    call.out.bulk(seconds.to_string().as_bytes());
    call.out.bulk(micros.to_string().as_bytes());
    Ok(())
}

/// Number of patterns that CONFIG GET accepts.
const MAX_PATTERNS: usize = 64;

pub(super) fn config(call: &mut Call<'_, '_, '_>) -> Done {
    if call.is(1, "GET") {
        if call.args.len() < 3 {
            return Err(wrong_arguments("config|get").into());
        }
        let memory = call.keyspace.options.max_memory.to_string();
        let longest = call.keyspace.options.max_string.to_string();
        let known = [
            ("appendonly", "no"),
            ("databases", "1"),
            ("maxmemory", &memory),
            ("maxmemory-policy", "noeviction"),
            ("proto-max-bulk-len", &longest),
            ("save", ""),
            ("timeout", "0"),
        ];
        if call.args.len() - 2 > MAX_PATTERNS {
            return Err("ERR too many patterns".into());
        }
        let patterns = call.args[2..].iter().map(|pattern| Pattern::new(&pattern.to_ascii_lowercase()));
        let patterns: Vec<_> = patterns.collect::<Result<_, _>>()?;
        let mut steps = Steps(usize::MAX); // the names are short
        let mut fits = |name: &str, pattern: &Pattern| pattern.fits(name.as_bytes(), &mut steps) == Ok(true);
        let mut found = known.to_vec();
        found.retain(|(name, _)| patterns.iter().any(|pattern| fits(name, pattern)));
        call.out.map(found.len());
        for (name, value) in found {
            call.out.bulk(name.as_bytes());
            call.out.bulk(value.as_bytes());
        }
        return Ok(());
    }
    if call.is(1, "SET") {
        if call.args.len() < 4 {
            return Err(wrong_arguments("config|set").into());
        }
        let name = cut_text(call.args[2], 128);
        return Err(format!("ERR Unknown option or number of arguments for CONFIG SET - '{name}'").into());
    }
    if call.is(1, "RESETSTAT") && call.args.len() == 2 {
        return call.ok();
    }
    Err(unknown_subcommand(call))
}

pub(super) fn info(call: &mut Call<'_, '_, '_>) -> Done {
    let wanted = |section: &str| {
        let named = |arg: &&[u8]| {
            ["all", "default", "everything", section].iter().any(|s| arg.eq_ignore_ascii_case(s.as_bytes()))
        };
        call.args.len() == 1 || call.args[1..].iter().any(named)
    };
    let wanted = ["server", "clients", "memory", "stats", "replication", "keyspace"].map(|s| (s, wanted(s)));
    let (mut keys, mut ending, mut lookups, mut weight) = (0, 0, 0, call.keyspace.beside());
    let (mut sweep, now) = (COUNT_SWEEP, call.now);
    call.each(|stripe| {
        stripe.sweep_all(now, &mut sweep);
        keys += stripe.len();
        ending += stripe.ending;
        lookups += stripe.lookups;
        weight += stripe.weight();
    });
    let uptime = call.now.unix_ms().saturating_sub(call.keyspace.since) / 1000;
    let limit = call.keyspace.options.max_memory;
    let mut text = String::new();
    for (section, _) in wanted.iter().filter(|(_, wanted)| *wanted) {
        if !text.is_empty() {
            text.push_str("\r\n");
        }
        let body = match *section {
            "server" => format!(
                "# Server\r\nredis_version:{COMPATIBLE_WITH}\r\npolywire_version:{}\r\nredis_mode:standalone\r\nos:{} {}\r\n\
                 arch_bits:{}\r\nprocess_id:{}\r\nuptime_in_seconds:{uptime}\r\nuptime_in_days:{}\r\n",
                env!("CARGO_PKG_VERSION"),
                std::env::consts::OS,
                std::env::consts::ARCH,
                usize::BITS,
                std::process::id(),
                uptime / 86400,
            ),
            "clients" => "# Clients\r\nblocked_clients:0\r\n".to_owned(),
            "memory" => format!(
                "# Memory\r\nused_memory:{weight}\r\nmaxmemory:{limit}\r\nmaxmemory_policy:noeviction\r\n"
            ),
            "stats" => format!("# Stats\r\nkeyspace_lookups:{lookups}\r\nevicted_keys:0\r\n"),
            "replication" => "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n".to_owned(),
            _ => {
                let mut body = "# Keyspace\r\n".to_owned();
                if keys > 0 {
                    let _ = write!(body, "db0:keys={keys},expires={ending},avg_ttl=0\r\n");
                }
                body
            }
        };
        text.push_str(&body);
    }
    call.out.verbatim(*b"txt", text.as_bytes());
    Ok(())
}

pub(super) fn command(call: &mut Call<'_, '_, '_>) -> Done {
    if call.args.len() == 1 {
        call.out.array(COMMANDS.len());
        COMMANDS.iter().for_each(|command| write_spec(call, &command.spec));
        return Ok(());
    }
    let names = &call.args[2..];
    if call.is(1, "COUNT") && names.is_empty() {
        return call.count(COMMANDS.len());
    }
    if call.is(1, "INFO") {
        if names.is_empty() {
            call.out.array(COMMANDS.len());
            COMMANDS.iter().for_each(|command| write_spec(call, &command.spec));
            return Ok(());
        }
        call.out.array(names.len());
        for name in names {
            match find(name) {
                Some(spec) => write_spec(call, spec),
                None => call.out.null(),
            }
        }
        return Ok(());
    }
    if call.is(1, "DOCS") {
        let specs: Vec<_> = match names {
            [] => COMMANDS.iter().map(|command| &command.spec).collect(),
            names => names.iter().filter_map(|name| find(name)).collect(),
        };
        call.out.map(specs.len());
        for spec in specs {
            call.out.bulk(spec.name.as_bytes());
            call.out.map(2);
            for (key, value) in [("summary", spec.summary), ("group", spec.group)] {
                call.out.bulk(key.as_bytes());
                call.out.bulk(value.as_bytes());
            }
        }
        return Ok(());
    }
    if call.is(1, "LIST") && names.is_empty() {
        call.out.array(COMMANDS.len());
        COMMANDS.iter().for_each(|command| call.out.bulk(command.spec.name.as_bytes()));
        return Ok(());
    }
    if call.is(1, "GETKEYS") {
        return if names.len() < 2 { Err(wrong_arguments("command|getkeys").into()) } else { getkeys(call) };
    }
    Err(unknown_subcommand(call))
}

fn find(name: &[u8]) -> Option<&'static Spec> {
    Catalogue::get().find(name).map(|command| &command.spec)
}

fn getkeys(call: &mut Call<'_, '_, '_>) -> Done {
    let args = &call.args[2..];
    let Some(spec) = find(args[0]) else {
        return Err("ERR Invalid command specified".into());
    };
    if !spec.fits(args.len()) {
        return Err("ERR Invalid number of arguments specified for command".into());
    }
    let keys: Vec<_> = spec.keys_in(args).collect();
    if keys.is_empty() {
        return Err("ERR The command has no key arguments".into());
    }
    call.out.array(keys.len());
    keys.iter().for_each(|key| call.out.bulk(key));
    Ok(())
}

/// Writes a command as COMMAND reports it: ten items.
fn write_spec(call: &mut Call<'_, '_, '_>, spec: &Spec) {
    let out = &mut *call.out;
    let (first, last, step) = match spec.keys {
        Keys::None | Keys::All => (0, 0, 0),
        Keys::One => (1, 1, 1),
        Keys::Range { last, step } => (1, i64::from(last), i64::from(step)),
    };
    let flags: &[&str] = match spec.nature {
        Nature::Reads => &["readonly"],
        Nature::Writes => &["write"],
        Nature::Grows => &["write", "denyoom"],
        Nature::Asks => &["loading", "stale"],
        Nature::Connection | Nature::Barred => &["noscript", "loading", "stale", "fast"],
    };
    let category = format!("@{}", if spec.group == "generic" { "keyspace" } else { spec.group });
    out.array(10);
    out.bulk(spec.name.as_bytes());
    out.integer(spec.arity.into());
    out.set(flags.len());
    flags.iter().for_each(|flag| out.simple(flag));
    [first, last, step].into_iter().for_each(|number| out.integer(number));
    out.set(1);
    out.simple(&category);
    // Tips, key specifications and subcommands are reported as empty.
    out.set(0);
    out.set(0);
    out.set(0);
}
