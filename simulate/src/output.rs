//! What a scenario has found, as files.

use crate::scenarios::{Findings, Options, Scenario};
use serde_json::{Map, Value, json as value};
use std::{fs, io, path::Path};

/// The tables of a scenario.
pub fn json(scenario: &Scenario, options: &Options, findings: &Findings) -> String {
    let tables: Map<String, Value> =
        findings.tables.iter().map(|table| (table.name.to_owned(), table.json())).collect();
    let all = value!({ "scenario": scenario.name, "about": scenario.about, "seed": options.seed, "tables": tables });
    // A row per line: small, and a change shows in a diff.
    let mut text = all.to_string().replace("},{", "},\n{").replace(":[{", ":[\n{");
    text.push('\n');
    text
}

/// Writes tables and charts into `folder`, and the tables into the page beside it that has places for them.
pub fn write(scenario: &Scenario, options: &Options, findings: &Findings, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(scenario.name).with_extension("json"), json(scenario, options, findings))?;
    for chart in &findings.charts {
        fs::write(folder.join(chart.name).with_extension("svg"), chart.svg())?;
    }
    let beside = folder.with_file_name("simulator.md");
    if beside.exists() {
        fs::write(&beside, page(&fs::read_to_string(&beside)?, findings))?;
    }
    Ok(())
}

/// A page with the tables in their places, which are between `<!-- table NAME -->` and `<!-- end -->`.
pub fn page(text: &str, findings: &Findings) -> String {
    let mut text = text.to_owned();
    for table in &findings.tables {
        let begin = format!("<!-- table {} -->\n", table.name);
        let Some(from) = text.find(&begin).map(|at| at + begin.len()) else { continue };
        let Some(length) = text[from..].find("<!-- end -->") else { continue };
        text.replace_range(from..from + length, &format!("\n{}\n", table.markdown()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn a_page_gets_the_table_that_it_names_and_keeps_the_rest() {
        let mut table = Table::new("one", ["a"]);
        table.row(vec!["b".into()]);
        let findings = Findings { tables: vec![table], charts: Vec::new() };
        let before = "x\n<!-- table one -->\nold\n<!-- end -->\ny\n<!-- table two -->\nkept\n<!-- end -->\n";
        let after = before.replace("old\n", "\n| a |\n| --- |\n| b |\n\n");
        assert_eq!(page(before, &findings), after);
        assert_eq!(page(&after, &findings), after);
    }
}
