//! `/`: the list of pages.

use super::{Asked, Page, Pages};
use polywire_call::Status;
use polywire_console::{Column, Table, View};

pub(super) fn view(pages: &Pages, _: &Asked) -> Result<View, Status> {
    let list: String =
        pages.iter().map(|page: &Page| format!("/{:<10} {}\n", page.path, page.help)).collect();
    let mut table = Table::new("pages", [Column::new("page").to(""), Column::new("what_it_shows")]);
    for page in pages.iter() {
        table.push(page.path, Default::default(), [page.path.into(), page.help.into()]);
    }
    Ok(View::new("Pages").table(table).plain(list))
}
