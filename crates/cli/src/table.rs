//! Formats tables as text.

use comfy_table::{CellAlignment, Table, presets};

/// An empty table, in markdown so that it can be pasted.
pub fn new() -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table
}

/// Aligns figures to the right.
pub fn align_right(table: &mut Table) {
    table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
}
