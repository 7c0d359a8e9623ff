//! Flags as programs and their operators use them.

use polywire_flags::{Change, Flag, FlagError, Flags, Linked, Origin, audit};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

fn alice() -> Origin {
    Origin::new("alice", "10.0.0.7:4000")
}

fn two() -> (Flags, Flag<u64>, Flag<bool>) {
    let (flags, batch, fast) = (
        Flags::new(),
        Flag::new("batch", 64u64, "Rows at once").range(1..=1000),
        Flag::new("fast", false, "No checks"),
    );
    flags.register(&batch).unwrap();
    flags.register(&fast).unwrap();
    (flags, batch, fast)
}

#[test]
fn a_change_is_checked_recorded_and_told() {
    let (flags, batch, _) = two();
    let told = Arc::new(AtomicU64::new(0));
    batch.on_change({
        let told = told.clone();
        move |value| told.store(value, Relaxed)
    });
    let Change { old, new, origin, until, .. } = flags.set("batch", "128", &alice()).unwrap().unwrap();
    assert_eq!((&*old, &*new, origin, until), ("64", "128", alice(), None));
    assert_eq!((batch.get(), told.load(Relaxed), flags.changes().len()), (128, 128, 1));
    assert_eq!(flags.set("batch", "128", &alice()), Ok(None), "nothing has changed");
    for (value, why) in [
        ("0", "cannot set batch to \"0\": it has to be at least 1, at most 1000"),
        ("1001", "cannot set batch to \"1001\": it has to be at least 1, at most 1000"),
        ("many", "cannot set batch to \"many\": it has to be a whole number (u64)"),
        ("", "cannot set batch to \"\": it has to be a whole number (u64)"),
    ] {
        assert_eq!(flags.set("batch", value, &alice()).unwrap_err().to_string(), why);
    }
    let long = flags.set("batch", &"1".repeat(1025), &alice()).unwrap_err().to_string();
    assert!(long.ends_with("it has more than 1024 bytes") && long.len() < 200, "{long}");
    assert_eq!((batch.get(), flags.changes().len()), (128, 1));
    let unknown = flags.set("bacth", "1", &alice()).unwrap_err().to_string();
    assert_eq!(unknown, "no flag is called \"bacth\": did you mean batch?");
}

#[test]
fn immutable_flags_ends_all_changes_and_fixed_ones_end_with_the_start() {
    let (flags, batch, _) = two();
    let fixed = Flag::new("threads", 4u32, "").fixed();
    flags.register(&fixed).unwrap();
    flags.set("threads", "8", &alice()).unwrap();
    flags.begin();
    assert_eq!(flags.set("threads", "9", &alice()), Err(FlagError::Fixed("threads".into())));
    flags.set("immutable_flags", "true", &alice()).unwrap();
    for name in ["batch", "immutable_flags"] {
        assert_eq!(flags.set(name, "0", &alice()), Err(FlagError::Immutable(name.into())));
    }
    assert_eq!((batch.get(), fixed.get()), (64, 8));
}

#[test]
fn a_timed_change_goes_back_to_what_was_before_the_first() {
    let (flags, batch, _) = two();
    let (sender, told) = mpsc::channel();
    batch.on_change(move |value| sender.send(value).unwrap());
    flags.set("batch", "100", &alice()).unwrap();
    let hour = Duration::from_secs(3600);
    assert!(flags.set_for("batch", "200", hour, &alice()).unwrap().unwrap().until.is_some());
    assert!(flags.goes_back_in("batch").unwrap() > hour / 2);
    flags.set_for("batch", "300", Duration::from_millis(20), &alice()).unwrap();
    let values: Vec<_> = (0..4).map(|_| told.recv_timeout(Duration::from_secs(20)).unwrap()).collect();
    assert_eq!(values, [100, 200, 300, 100]);
    assert_eq!((batch.get(), flags.goes_back_in("batch")), (100, None));
    let last = flags.last_change("batch").unwrap();
    assert_eq!((&*last.old, &*last.new, &*last.origin.who), ("300", "100", "its time is over"));
    // A change without a time ends the one with it.
    flags.set_for("batch", "200", hour, &alice()).unwrap();
    flags.set("batch", "201", &alice()).unwrap();
    assert_eq!(flags.goes_back_in("batch"), None);
}

#[test]
fn timed_changes_go_back_though_code_of_the_application_panics() {
    let (flags, batch, fast) = two();
    batch.on_change(|value| assert_ne!(value, 64, "went back"));
    let went_back = |value| if value == 5u32 { panic!("went back") } else { Ok(()) };
    flags.add(Linked::new("calls", "Calls at once", "", || 5u32, went_back)).unwrap();
    let (sender, told) = mpsc::channel();
    fast.on_change(move |value| sender.send(value).unwrap());
    let soon = Duration::from_millis(20);
    for (name, value) in [("batch", "100"), ("calls", "7"), ("fast", "true")] {
        flags.set_for(name, value, soon, &alice()).unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        while flags.goes_back_in(name).is_some() {
            assert!(Instant::now() < end, "{name} does not go back");
            thread::yield_now();
        }
    }
    let values: Vec<_> = (0..2).map(|_| told.recv_timeout(Duration::from_secs(20)).unwrap()).collect();
    assert_eq!(values, [true, false]);
}

#[test]
fn a_file_is_applied_as_a_whole_or_not_at_all() {
    let (flags, batch, fast) = two();
    let read = flags.load_text("# for the night\n\n--batch=10\n-fast\nbatch = 11\r\n", "night.flags");
    assert_eq!((read, batch.get(), fast.get()), (Ok(3), 11, true));
    for (text, why) in [
        ("batch=12\nfats=1", "x, line 2: no flag is called \"fats\": did you mean fast?"),
        ("batch=12\nfast=perhaps", "x, line 2: cannot set fast to \"perhaps\": it has to be true or false"),
        ("batch=12\n=", "x, line 2: no flag is called \"\": did you mean batch or fast or immutable_flags?"),
    ] {
        let error = flags.load_text(text, "x").unwrap_err().to_string();
        assert_eq!((&*error, batch.get()), (why, 11));
    }
    assert!(flags.load_file("/nowhere/flags").unwrap_err().to_string().starts_with("/nowhere/flags: "));
    assert!(flags.load_file("/dev/zero").unwrap_err().to_string().contains("more than 1048576 bytes"));
}

#[test]
fn the_table_is_brpcs() {
    let (flags, _, _) = two();
    flags.add(Linked::new("calls", "Calls at once", "", || 7u32, |_| Ok(()))).unwrap();
    flags.register(&Flag::new("threads", 4u32, "Of the\nengine").fixed()).unwrap();
    flags.set("batch", "1", &alice()).unwrap();
    let head = "Name | Value | Description | Defined At\n---------------------------------------\n";
    let rows = [
        "batch (R) | 1 (default:64) | Rows at once | a whole number (u64), at least 1, at most 1000\n",
        "calls (R) | 7 | Calls at once | a whole number (u32)\n",
        "fast (R) | false | No checks | true or false\n",
        "immutable_flags (R) | false | No flag can be changed while this is true | true or false\n",
        "threads | 4 | Of the engine | a whole number (u32)\n",
    ];
    assert_eq!(flags.table(""), format!("{head}{}", rows.concat()));
    assert_eq!(flags.table("b*;fas$"), format!("{head}{}{}", rows[0], rows[2]));
    assert_eq!(flags.table("none"), head);
}

#[test]
fn a_linked_value_is_shown_as_it_is_and_may_refuse() {
    let flags = Flags::new();
    let limit = Arc::new(AtomicU32::new(5));
    let (read, write) = (limit.clone(), limit.clone());
    let write = move |value| {
        if value >= 100 {
            return Err("the kernel has 100".to_owned());
        }
        write.store(value, Relaxed);
        Ok(())
    };
    flags.add(Linked::new("limit", "", "at most 100", move || read.load(Relaxed), write)).unwrap();
    limit.store(6, Relaxed);
    assert_eq!(flags.find("limit").unwrap().value(), "6");
    let change = flags.set("limit", "99", &alice()).unwrap().unwrap();
    assert_eq!((&*change.old, limit.load(Relaxed)), ("6", 99));
    assert!(flags.set("limit", "100", &alice()).unwrap_err().to_string().ends_with("the kernel has 100"));
}

#[test]
fn names_are_taken_once_and_are_plain() {
    let (flags, batch, _) = two();
    assert_eq!(flags.register(&batch), Err(FlagError::Taken("batch".into())));
    for name in ["", "-x", "a b", "a\n", "ü", &"x".repeat(129)] {
        assert!(matches!(flags.register(&Flag::new(name, 1u32, "")), Err(FlagError::Name(_))), "{name:?}");
    }
}

#[test]
fn what_peers_choose_neither_breaks_lines_nor_fills_memory() {
    let (flags, batch, _) = two();
    let who = format!("eve\n\u{1b}[2J\u{202e}{}", "x".repeat(10_000));
    for value in 0..2 * audit::KEPT {
        flags.set("batch", &(1 + value % 2).to_string(), &Origin::new(&who, "\r\n")).unwrap();
    }
    let changes = flags.changes();
    assert_eq!((changes.len(), batch.get()), (audit::KEPT, 2));
    let origin = &changes[0].origin;
    assert!(origin.who.starts_with("eve\\u{a}\\u{1b}[2J\\u{202e}xxx"), "{}", origin.who);
    assert!(origin.who.len() < 300 && origin.from == "\\u{d}\\u{a}");
}
