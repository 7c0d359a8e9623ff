//! Finds the slot of a command's keys, which all have to be in the same slot.

use super::{
    positions::{self, Position},
    slot::Slot,
};
use crate::{Args, KeyPlaces};
use polywire_call::{Code, Origin, Status};

/// The place of a command in the cluster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// `None`: it has no keys, and any node can answer it.
    pub(super) slot: Option<Slot>,
    /// Whether the command changes nothing.
    pub(super) reads: bool,
}

/// A command of a pipeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The position in the pipeline at which the command begins.
    pub(crate) begin: usize,
    pub(crate) place: Place,
}

/// Whether a command in wire form is known to change nothing.
pub(crate) fn reads(wire: &[u8]) -> bool {
    Args::new(wire).next().and_then(positions::find).is_some_and(|row| row.reads)
}

/// The place of a command in wire form. `keys`: the keys that its builder has declared.
///
/// # Errors
/// INVALID_ARGUMENT: its keys are of several slots, or cannot be found, or it is about one node or one
/// connection.
pub(crate) fn place(keys: KeyPlaces, wire: &[u8]) -> Result<Place, Status> {
    let args = Args::new(wire);
    let name = args.clone().next().unwrap_or_default();
    let row = positions::find(name);
    let reads = row.is_some_and(|row| row.reads);
    if keys.count > 0 {
        let marked = args.skip(keys.first as usize).step_by(keys.step.max(1) as usize);
        return Ok(Place { slot: same_slot(marked.take(keys.count as usize))?, reads });
    }
    let Some(row) = row else {
        return Err(refused(format!(
            "a cluster needs to know the keys of {}: add them with Command::key",
            crate::cut_text(name, 64)
        )));
    };
    let slot = match row.position {
        Position::None => None,
        Position::Node => {
            return Err(refused(format!(
                "{} is about one node or one connection: use Cluster::masters or a session",
                crate::cut_text(name, 64)
            )));
        }
        Position::At(first, last, step) => {
            let len = args.len();
            let end = if last < 0 {
                (len + 1).saturating_sub(usize::from(last.unsigned_abs()))
            } else {
                usize::from(last.unsigned_abs()) + 1
            };
            same_slot(args.take(end).skip(first.into()).step_by(step.into()))?
        }
        Position::Counted(at) => same_slot(counted(args, at.into(), name)?)?,
        Position::StoreCounted => {
            let stored = args.clone().nth(1);
            same_slot(stored.into_iter().chain(counted(args, 2, name)?))?
        }
        Position::Streams => {
            let mut args = args;
            let found = args.any(|arg| arg.eq_ignore_ascii_case(b"STREAMS"));
            let half = args.len() / 2;
            if !found || half == 0 {
                return Err(unknown_keys(name));
            }
            same_slot(args.take(half))?
        }
        Position::Unknown => return Err(unknown_keys(name)),
    };
    Ok(Place { slot, reads })
}

fn counted<'a>(args: Args<'a>, at: usize, name: &[u8]) -> Result<impl Iterator<Item = &'a [u8]>, Status> {
    let mut args = args.skip(at);
    let count = args.next().and_then(|count| std::str::from_utf8(count).ok()?.parse().ok());
    Ok(args.take(count.ok_or_else(|| unknown_keys(name))?))
}

/// The slot of all these keys; `None` if there are none.
fn same_slot<'a>(keys: impl Iterator<Item = &'a [u8]>) -> Result<Option<Slot>, Status> {
    let mut first: Option<(&[u8], Slot)> = None;
    for key in keys {
        let slot = Slot::of(key);
        match first {
            None => first = Some((key, slot)),
            Some((_, same)) if same == slot => {}
            Some((other, before)) => return Err(crossing((other, before), (key, slot))),
        }
    }
    Ok(first.map(|(_, slot)| slot))
}

/// The place of a transaction: the slot that all its commands have.
///
/// # Errors
/// INVALID_ARGUMENT: the keys have several slots.
pub(crate) fn one_slot(places: &[Placed], commands: &[u8]) -> Result<Place, Status> {
    let mut found: Option<(usize, Slot)> = None;
    for (at, placed) in places.iter().enumerate() {
        let Some(slot) = placed.place.slot else { continue };
        match found {
            None => found = Some((at, slot)),
            Some((_, same)) if same == slot => {}
            Some((other, before)) => {
                let name = |at: usize| {
                    let name = Args::new(&commands[places[at].begin..]).next().unwrap_or_default();
                    format!("{} (command {})", crate::cut_text(name, 64), at + 1)
                };
                return Err(refused(format!(
                    "CROSSSLOT the commands of a transaction must be of one slot: {} is of {before}, {} of {slot}; give \
                     their keys the same {{tag}}",
                    name(other),
                    name(at)
                )));
            }
        }
    }
    Ok(Place { slot: found.map(|(_, slot)| slot), reads: false })
}

#[cold]
fn crossing((one, of_one): (&[u8], Slot), (other, of_other): (&[u8], Slot)) -> Status {
    refused(format!(
        "CROSSSLOT the keys of a command must be of one slot: `{}` is of {of_one}, `{}` of {of_other}; give them the same \
         {{tag}}, or send a command for each in a pipeline",
        crate::cut_text(one, 64),
        crate::cut_text(other, 64)
    ))
}

#[cold]
fn unknown_keys(name: &[u8]) -> Status {
    refused(format!("the keys of {} cannot be found: add them with Command::key", crate::cut_text(name, 64)))
}

fn refused(why: String) -> Status {
    Status::new(Code::InvalidArgument, why).with_origin(Origin::Local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;

    fn of(line: &str) -> Result<Option<u16>, String> {
        let command = Command::parse(line).expect("a command");
        let place =
            place(command.key_places(), &command.wire()).map_err(|status| status.message().to_owned())?;
        Ok(place.slot.map(Slot::number))
    }

    #[test]
    fn keys_are_found_by_the_positions_of_the_command() {
        let foo = Ok(Some(12_182));
        for line in [
            "GET foo",
            "set foo bar",
            "MSET foo 1 {foo}2 2",
            "MGET foo {foo}1",
            "OBJECT ENCODING foo",
            "EVAL 'return 1' 2 foo {foo}2 bar",
            "EVALSHA x 1 foo bar",
            "ZUNIONSTORE foo 2 {foo}1 {foo}2 WEIGHTS 1 2",
            "XREAD COUNT 1 STREAMS foo {foo}1 0 0",
            "XREADGROUP GROUP g c STREAMS foo >",
            "BITOP AND foo {foo}1",
            "BLPOP foo {foo}b 0",
            "SPUBLISH foo bar",
            "XGROUP CREATE foo g $",
        ] {
            assert_eq!(of(line), foo, "{line}");
        }
        assert_eq!(
            (of("PING"), of("PUBLISH a b"), of("EVAL 'return 1' 0 a")),
            (Ok(None), Ok(None), Ok(None))
        );
        assert!(
            of("XREAD STREAMS").is_err() && of("EVAL x many foo").is_err() && of("XREAD COUNT 1").is_err()
        );
    }

    #[test]
    fn a_command_of_several_slots_is_refused_with_the_reason() {
        let why = of("MGET foo bar").expect_err("two slots");
        assert!(why.starts_with("CROSSSLOT") && why.contains("`foo` is of 12182, `bar` of 5061"), "{why}");
        let why = of("DBSIZE").expect_err("about one node");
        assert!(why.contains("Cluster::masters"), "{why}");
        let why = of("BF.ADD foo 1").expect_err("unknown");
        assert!(why.contains("Command::key"), "{why}");
        let marked = Command::new("BF.ADD").key("foo").arg(1);
        let place = place(marked.key_places(), &marked.wire()).expect("marked");
        assert_eq!(place, Place { slot: Slot::new(12_182), reads: false });
    }

    #[test]
    fn a_number_of_keys_beyond_the_arguments_ends_with_them() {
        assert_eq!(of("EVAL x 18446744073709551615 foo"), Ok(Some(12_182)));
    }
}
