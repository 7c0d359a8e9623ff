//! The figures in the README's sentence about loads in which others are ahead.

use super::charts::newest;
use super::record::{Record, number};

/// Rows of a table, by the beginning of its heading and the end of their names, with a column of ours, as a
/// program has it by default, and one of somebody else.
struct Load {
    heading: &'static str,
    row: &'static str,
    ours: &'static str,
    theirs: &'static str,
}

const LOADS: [Load; 3] = [
    Load { heading: "gRPC, streams", row: ", 1 stream", ours: "polywire, gRPC", theirs: "tonic" },
    Load { heading: "One caller, echo of long messages", row: "10 MB", ours: "polywire", theirs: "libzmq" },
    Load { heading: "Redis under redis-benchmark", row: "", ours: "polywire", theirs: "redis-server" },
];

/// What the newest records have, in the order of the sentence: `0.64`.
pub fn figures(records: &[Record]) -> Result<Vec<String>, String> {
    let mut figures = Vec::new();
    for Load { heading, row, ours, theirs } in LOADS {
        let (_, table) = newest(records, heading)?;
        let column = |title: &str| table.header.iter().position(|cell| cell == title);
        let (ours, theirs) =
            column(ours).zip(column(theirs)).ok_or(format!("{heading}: a column is missing"))?;
        let rows = table.rows.iter().filter(|cells| cells[0].ends_with(row));
        let ratio = |cells: &Vec<String>| Some(number(cells.get(ours)?)? / number(cells.get(theirs)?)?);
        let worst = rows.filter_map(ratio).min_by(f64::total_cmp);
        let worst = worst.ok_or(format!("{heading}: no row ends with {row:?}"))?;
        figures.push(format!("{worst:.2}"));
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_row_counts_of_what_a_program_has_by_default() {
        let tables = "# Results\n\n- commit: 12ab\n\n\
             ## gRPC, streams (messages)\n\n| load | polywire, gRPC | polywire, gRPC, shard | tonic |\n| --- | --- | --- | --- |\n\
             | a, 1 stream | 0.9 M | 1 k | 1 M |\n| b, 1 stream | 500 k | 1 k | 1 M |\n| c, 10 streams | 1 k | 1 k | 1 M |\n\n\
             ## One caller, echo of long messages (calls)\n\n| load | libzmq | polywire |\n| --- | --- | --- |\n| 10 MB | 100 | 58 |\n\n\
             ## Redis under redis-benchmark (requests)\n\n| load | polywire | polywire, one shard | redis-server |\n| --- | --- | --- | --- |\n\
             | GET | 2 k | 1 | 1 k |\n| SET | **600** (1–2) | 1 | 1 k |\n";
        let record = Record::new("2026-01-02", tables, "# Title\n").unwrap();
        assert_eq!(figures(&[record]).unwrap(), ["0.50", "0.58", "0.60"]);
        assert!(figures(&[]).is_err());
    }
}
