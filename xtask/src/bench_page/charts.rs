//! The charts: which figures of which record they show. A peer that a record lacks is left out.

use super::record::{Record, number, short};
use super::svg::{Bar, Chart, Group};
use crate::check_docs::markdown::Table;

/// All charts of the README.
pub fn all(records: &[Record]) -> Result<Vec<Chart>, String> {
    Ok(vec![callers(records)?, slow_server(records)?, overload(records)?])
}

/// Calls per second of 100 callers on one connection.
fn callers(records: &[Record]) -> Result<Chart, String> {
    const LOAD: &str = "100 callers, 1 connection";
    let (grpc, table) = newest(records, "gRPC, echo of 100 bytes")?;
    let peers = [
        ("polywire, gRPC", "polywire"),
        ("tonic", "tonic"),
        ("grpc C++", "gRPC C++"),
        ("grpc-go", "grpc-go"),
    ];
    let of_grpc = bars(&peers, |peer| cell(table, &[("load", LOAD)], peer));
    let (brpc, table) = newest(records, "Echo of typed messages over baidu_std")?;
    let of_brpc = bars(&[("polywire", "polywire"), ("brpc", "Apache brpc")], |peer| {
        cell(table, &[("load", "100 B, 100 callers")], peer)
    });
    Ok(Chart {
        name: "callers",
        title: "100 callers on one connection: calls per second",
        groups: vec![
            Group { title: "gRPC", bars: of_grpc },
            Group { title: "baidu_std, a run of its own", bars: of_brpc },
        ],
        notes: vec![
            "Echo of 100 bytes, encoded and decoded on both sides; longer is better.".to_owned(),
            format!("gRPC: {}", origin(grpc)),
            format!("baidu_std: {}", origin(brpc)),
        ],
    })
}

/// p99.9 while one of ten servers takes a second for a call.
fn slow_server(records: &[Record]) -> Result<Chart, String> {
    let (record, table) = newest(records, "Ten servers of which some fail")?;
    let clients = [
        ("p2c", "polywire, p2c (default)"),
        ("prequal", "polywire, prequal"),
        ("rr", "polywire, rr"),
        ("tonic", "tonic"),
        ("grpc-go", "grpc-go, round_robin"),
        ("grpc-go, outlier detection", "grpc-go, outlier detection"),
    ];
    let mut bars = bars(&clients, |client| {
        cell(table, &[("fault", "one server slow: 1 s"), ("client", client)], "p99.9 ms")
    });
    for bar in &mut bars {
        bar.text.push_str(" ms");
    }
    Ok(Chart {
        name: "slow-server",
        title: "One slow server of ten: p99.9 of all calls",
        groups: vec![Group { title: "1000 gRPC calls a second", bars }],
        notes: vec![
            "Nine servers take 2 ms for a call and one takes 1 s; shorter is better.".to_owned(),
            origin(record),
        ],
    })
}

/// Calls answered in time, as a part of capacity, at five times capacity.
fn overload(records: &[Record]) -> Result<Chart, String> {
    let (record, table) = newest(records, "Load from half to five times capacity")?;
    let servers =
        [("polywire gRPC", "polywire"), ("tonic", "tonic"), ("grpc-go", "grpc-go"), ("gRPC C++", "gRPC C++")];
    let group = |title, handler| {
        let find = |server: &str| {
            cell(table, &[("server", server), ("handler", handler), ("load", "5")], "of capacity")
        };
        Group { title, bars: bars(&servers, find) }
    };
    let mut notes = vec![
        "gRPC; polywire sheds load, the others take every call. Good is within 100 ms; longer is better."
            .to_owned(),
        origin(record),
    ];
    notes.extend(record.fact("since then").map(|fact| format!("Since then {fact}.")));
    Ok(Chart {
        name: "overload",
        title: "Five times capacity: good answers, in percent of capacity",
        groups: vec![group("handlers of 100 µs", "100 µs"), group("handlers of 1 ms", "1000 µs")],
        notes,
    })
}

/// The newest record with such a table.
pub(super) fn newest<'a>(records: &'a [Record], heading: &str) -> Result<(&'a Record, &'a Table), String> {
    let mut found = records.iter().rev().filter_map(|record| Some((record, record.table(heading)?)));
    found.next().ok_or(format!("no record has a table `{heading}`"))
}

/// The cell of the column `of` in the row that has these values in these columns.
fn cell<'a>(table: &'a Table, row: &[(&str, &str)], of: &str) -> Option<&'a str> {
    let column = |title: &str| table.header.iter().position(|cell| cell == title);
    let is_it = |cells: &&Vec<String>| {
        row.iter()
            .all(|(title, value)| column(title).and_then(|c| cells.get(c)).is_some_and(|cell| cell == value))
    };
    table.rows.iter().find(is_it)?.get(column(of)?).map(String::as_str)
}

/// A bar for each peer, named as a record and as the chart names it, that has a figure.
fn bars<'a>(peers: &[(&str, &'static str)], find: impl Fn(&str) -> Option<&'a str>) -> Vec<Bar> {
    let bar = |(peer, shown): &(&str, &'static str)| {
        let cell = find(peer)?;
        Some(Bar {
            name: shown,
            value: number(cell)?,
            text: short(cell).to_owned(),
            is_ours: peer_is_ours(shown),
        })
    };
    peers.iter().filter_map(bar).collect()
}

fn peer_is_ours(shown: &str) -> bool {
    shown.starts_with("polywire")
}

fn origin(record: &Record) -> String {
    let machine = record.fact("processor").unwrap_or("virtual machine");
    format!("{}, {}; 2 processors, {machine}", record.date(), record.commit())
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    const GRPC: &str = "# Results\n\n- commit: 12ab\n\n## gRPC, echo of 100 bytes (calls per second)\n\n\
                        | load | polywire, gRPC | tonic |\n| --- | --- | --- |\n| 100 callers, 1 connection | **388.5 k** (1–2) | **60.4 k** |\n";
    const BRPC: &str = "# Results\n\n- commit: not recorded\n\n## Echo of typed messages over baidu_std (calls per second)\n\n\
                        | load | polywire | brpc |\n| --- | --- | --- |\n| 100 B, 100 callers | 607 k | 107 k |\n";
    const FAULTS: &str = "# Results\n\n## Ten servers of which some fail\n\n| fault | client | p99.9 ms |\n| --- | --- | --- |\n\
                          | one refusing | p2c | 1.0 |\n| one server slow: 1 s | p2c | 6.9 |\n| one server slow: 1 s | tonic | 1002.5 |\n";
    const OVERLOAD: &str = "# Results\n\n## Load from half to five times capacity\n\n| server | handler | load | of capacity |\n\
                            | --- | --- | --- | --- |\n| polywire gRPC | 100 µs | 2 | 100 % |\n| polywire gRPC | 100 µs | 5 | 124 % |\n\
                            | tonic | 1000 µs | 5 | 3 % |\n";

    /// Records with all that the charts need.
    pub fn tree(name: &str) -> Tree {
        let mut tree = Tree::new(name);
        for (folder, tables) in
            [("2026-01-01", GRPC), ("2026-01-02", BRPC), ("2026-01-03", FAULTS), ("2026-01-04", OVERLOAD)]
        {
            tree = tree
                .with(&format!("bench/results/{folder}/tables.md"), tables)
                .with(&format!("bench/results/{folder}/notes.md"), "# Title\n");
        }
        tree
    }

    #[test]
    fn a_chart_has_the_row_it_is_about_and_no_peer_that_was_not_measured() {
        let records = super::super::record::all(&tree("charts").root().join("bench/results")).unwrap();
        let charts = all(&records).unwrap();
        let texts = |chart: &Chart| -> Vec<String> {
            let bars = chart.groups.iter().flat_map(|group| &group.bars);
            bars.map(|bar| format!("{} {}", bar.name, bar.text)).collect()
        };
        assert_eq!(
            texts(&charts[0]),
            ["polywire 388.5 k", "tonic 60.4 k", "polywire 607 k", "Apache brpc 107 k"]
        );
        assert_eq!(texts(&charts[1]), ["polywire, p2c (default) 6.9 ms", "tonic 1002.5 ms"]);
        assert_eq!(texts(&charts[2]), ["polywire 124 %", "tonic 3 %"]);
        assert!(charts[0].notes[1].contains("2026-01-01, commit 12ab"), "{:?}", charts[0].notes);
    }

    #[test]
    fn the_newest_record_counts() {
        let older = Record::new("2026-01-01", GRPC, "# Old\n").unwrap();
        let newer = Record::new("2026-01-02", &GRPC.replace("388.5", "400.0"), "# New\n").unwrap();
        let records = [older, newer];
        let (record, _) = newest(&records, "gRPC, echo").unwrap();
        assert_eq!(record.title, "New");
        assert!(newest(&records, "HTTP").is_err());
    }
}
