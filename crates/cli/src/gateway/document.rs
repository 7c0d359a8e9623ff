//! A TOML file whose values know their place, and the mistakes that are found in it.
//!
//! All mistakes are collected, so that one look finds them all. A key that nobody asks for is one: the
//! settings in the file are those that were understood.

use polywire_base::nearest;
use std::{
    cell::{Cell, RefCell},
    fmt,
    time::Duration,
};
use toml::de::{DeString, DeTable, DeValue};

use crate::units;

/// Mistakes that are shown; who has more of them sees the rest after mending these.
const MOST_MISTAKES: usize = 50;

/// A place in a file. Lines and columns begin with 1; columns count characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A value of the file.
#[derive(Clone)]
pub struct Placed<T> {
    pub value: T,
    pub at: usize,
}

/// One file that is being read.
pub struct Document<'d> {
    name: &'d str,
    text: &'d str,
    mistakes: RefCell<Vec<(usize, String)>>,
    /// What is right, but perhaps not what was meant; each with its place.
    warnings: RefCell<Vec<String>>,
}

/// Keys of which there may be several tables.
const LISTS: [&str; 2] = ["routes", "jwt"];

impl<'d> Document<'d> {
    pub fn new(name: &'d str, text: &'d str) -> Self {
        Document { name, text, mistakes: RefCell::default(), warnings: RefCell::default() }
    }

    /// # Errors
    /// The text is not TOML.
    pub fn parse(&self) -> Result<DeTable<'d>, Vec<String>> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        let mut repeated = false;
        for error in errors {
            let span = error.span().unwrap_or_default();
            let key = self.text.get(span.clone()).unwrap_or_default().trim_matches(['[', ']']);
            let last = key.rsplit('.').next().unwrap_or_default();
            match error.message() {
                "duplicate key" if LISTS.contains(&last) => {
                    repeated = true;
                    self.wrong(span.start, format!("{last} is there twice: begin each with [[{last}]]"));
                }
                "duplicate key" if repeated => {} // it belongs to the second of them
                message => self.wrong(span.start, message),
            }
        }
        self.finish()?;
        Ok(table.into_inner())
    }

    pub fn wrong(&self, at: usize, text: impl Into<String>) {
        self.mistakes.borrow_mut().push((at, text.into()));
    }

    /// What was found that is no mistake, a line each.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    pub fn place(&self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or(self.text);
        let (lines, last) = before.rsplit_once('\n').unwrap_or(("", before));
        let line = if last.len() == before.len() { 1 } else { lines.matches('\n').count() + 2 };
        Place { file: self.name.to_owned(), line, column: last.chars().count() + 1 }
    }

    /// # Errors
    /// What was found so far, in the order of the file.
    pub fn finish(&self) -> Result<(), Vec<String>> {
        let mut mistakes = self.mistakes.take();
        if mistakes.is_empty() {
            return Ok(());
        }
        mistakes.sort_by_key(|(at, _)| *at);
        let further = mistakes.len().saturating_sub(MOST_MISTAKES);
        let shown = mistakes.iter().take(MOST_MISTAKES);
        let mut lines: Vec<_> = shown.map(|(at, text)| format!("{}: {text}", self.place(*at))).collect();
        if further > 0 {
            lines.push(format!("{}: and {further} further mistakes", self.name));
        }
        Err(lines)
    }
}

/// A table of the file. [`Table::finish`] refuses the keys that were not asked for.
pub struct Table<'d> {
    document: &'d Document<'d>,
    entries: &'d DeTable<'d>,
    /// As in `clusters.stock`; empty for the file.
    path: String,
    at: usize,
    asked: RefCell<Vec<&'static str>>,
    /// Whether something in it was wrong.
    faulty: Cell<bool>,
}

impl<'d> Table<'d> {
    pub fn whole(document: &'d Document<'d>, entries: &'d DeTable<'d>) -> Self {
        Table::new(document, entries, String::new(), 0)
    }

    fn new(document: &'d Document<'d>, entries: &'d DeTable<'d>, path: String, at: usize) -> Self {
        Table { document, entries, path, at, asked: RefCell::default(), faulty: Cell::new(false) }
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn get(&self, key: &'static str) -> Option<Placed<&'d DeValue<'d>>> {
        self.asked.borrow_mut().push(key);
        let value = self.entries.get(key)?;
        Some(Placed { value: value.get_ref(), at: value.span().start })
    }

    /// Where the table begins.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Where the value of a key is; where the table begins, if it has none.
    pub fn at_key(&self, key: &str) -> usize {
        self.entries.get(key).map_or(self.at, |value| value.span().start)
    }

    /// Notes a mistake in the value of a key.
    pub fn wrong(&self, at: usize, key: &str, text: impl fmt::Display) {
        self.faulty.set(true);
        self.document.wrong(at, format!("{}: {text}", self.path_of(key)));
    }

    /// Notes what is perhaps not meant in the value of a key.
    pub fn warn(&self, at: usize, key: &str, text: impl fmt::Display) {
        let line = format!("{}: {}: {text}", self.document.place(at), self.path_of(key));
        self.document.warnings.borrow_mut().push(line);
    }

    /// Whether all that was asked for so far is as it should be.
    pub fn is_well(&self) -> bool {
        !self.faulty.get()
    }

    fn meant(&self, found: &Placed<&DeValue<'_>>, key: &str, meant: &str) {
        self.wrong(
            found.at,
            key,
            format_args!("{meant} is meant here, this is of type {}", found.value.type_str()),
        );
    }

    /// A key that must be there was not found.
    pub fn missing(&self, key: &str, text: &str) {
        let path = if self.path.is_empty() { "the file" } else { &self.path };
        self.faulty.set(true);
        self.document.wrong(self.at, format!("{path}: `{key}` is missing: {text}"));
    }

    pub fn text(&self, key: &'static str) -> Option<Placed<String>> {
        let found = self.get(key)?;
        self.as_text(found, key)
    }

    fn as_text(&self, found: Placed<&'d DeValue<'d>>, key: &str) -> Option<Placed<String>> {
        match found.value.as_str() {
            Some(text) => Some(Placed { value: text.to_owned(), at: found.at }),
            None => {
                self.meant(&found, key, "a text in quotes");
                None
            }
        }
    }

    /// A text, or a number as it is written.
    pub fn word(&self, key: &'static str) -> Option<Placed<String>> {
        let found = self.get(key)?;
        match found.value.as_integer() {
            Some(_) => self
                .as_number(&found, key, u32::MAX)
                .map(|number| Placed { value: number.to_string(), at: found.at }),
            None => self.as_text(found, key),
        }
    }

    /// A text, or a list of them.
    pub fn texts(&self, key: &'static str) -> Option<Vec<Placed<String>>> {
        let found = self.get(key)?;
        let Some(list) = found.value.as_array() else {
            return Some(self.as_text(found, key).into_iter().collect());
        };
        let items = list.iter().map(|item| Placed { value: item.get_ref(), at: item.span().start });
        Some(items.filter_map(|item| self.as_text(item, key)).collect())
    }

    pub fn flag(&self, key: &'static str) -> bool {
        let Some(found) = self.get(key) else { return false };
        found.value.as_bool().unwrap_or_else(|| {
            self.meant(&found, key, "true or false");
            false
        })
    }

    pub fn number(&self, key: &'static str, most: u32) -> Option<u32> {
        let found = self.get(key)?;
        self.as_number(&found, key, most)
    }

    fn as_number(&self, found: &Placed<&DeValue<'_>>, key: &str, most: u32) -> Option<u32> {
        let Some(number) = found.value.as_integer() else {
            self.meant(found, key, "a number");
            return None;
        };
        let parsed = u32::from_str_radix(number.as_str(), number.radix()).ok().filter(|n| *n <= most);
        if parsed.is_none() {
            self.wrong(found.at, key, format_args!("{number} is not a number from 0 to {most}"));
        }
        parsed
    }

    /// A text such as `300ms`.
    pub fn duration(&self, key: &'static str) -> Option<Duration> {
        let Placed { value, at } = self.text(key)?;
        if value.ends_with(|last: char| last.is_ascii_digit()) {
            self.wrong(at, key, format_args!("{value:?} has no unit: us, ms, s, m or h"));
            return None;
        }
        units::duration(&value).map_err(|wrong| self.wrong(at, key, format_args!("{value:?}: {wrong}"))).ok()
    }

    pub fn table(&self, key: &'static str) -> Option<Table<'d>> {
        let found = self.get(key)?;
        self.as_table(found, self.path_of(key), key)
    }

    fn as_table(&self, found: Placed<&'d DeValue<'d>>, path: String, key: &str) -> Option<Table<'d>> {
        match found.value.as_table() {
            Some(entries) => Some(Table::new(self.document, entries, path, found.at)),
            None => {
                self.meant(&found, key, "a table");
                None
            }
        }
    }

    /// The tables of `[[key]]`.
    pub fn tables(&self, key: &'static str) -> Vec<Table<'d>> {
        let Some(found) = self.get(key) else { return Vec::new() };
        let Some(list) = found.value.as_array() else {
            self.meant(&found, key, &format!("[[{key}]]"));
            return Vec::new();
        };
        let items = list.iter().enumerate();
        let table = |(k, item): (usize, &'d toml::Spanned<DeValue<'d>>)| {
            let found = Placed { value: item.get_ref(), at: item.span().start };
            self.as_table(found, format!("{}[{k}]", self.path_of(key)), key)
        };
        items.filter_map(table).collect()
    }

    /// Whether the value of a key is a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// Whether the value of a key is a list.
    pub fn is_list(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_array())
    }

    /// One table, or the tables of a list.
    pub fn one_or_more(&self, key: &'static str) -> Vec<Table<'d>> {
        if self.is_list(key) { self.tables(key) } else { self.table(key).into_iter().collect() }
    }

    /// The tables of `[key.NAME]` by their names, in the order of the file.
    pub fn named(&self, key: &'static str) -> Vec<(String, Table<'d>)> {
        let Some(table) = self.table(key) else { return Vec::new() };
        let tables = table.entries.iter().filter_map(|(name, value)| {
            let found = Placed { value: value.get_ref(), at: name.span().start };
            let path = table.path_of(name.get_ref());
            Some((name.get_ref().to_string(), table.as_table(found, path, name.get_ref())?))
        });
        let mut tables: Vec<_> = tables.collect();
        self.faulty.set(self.faulty.get() || table.faulty.get());
        tables.sort_by_key(|(_, table)| table.at);
        tables
    }

    /// Texts by keys of the user's choice.
    pub fn pairs(&self, key: &'static str) -> Vec<(Placed<String>, String)> {
        let Some(table) = self.table(key) else { return Vec::new() };
        let pairs = table.entries.iter().filter_map(|(name, value)| {
            let found = Placed { value: value.get_ref(), at: value.span().start };
            let value = table.as_text(found, name.get_ref())?.value;
            Some((Placed { value: name.get_ref().to_string(), at: name.span().start }, value))
        });
        let pairs = pairs.collect();
        self.faulty.set(self.faulty.get() || table.faulty.get());
        pairs
    }

    /// Lists of texts by keys of the user's choice, in the order of the file.
    pub fn lists(&self, key: &'static str) -> Vec<(Placed<String>, Vec<Placed<String>>)> {
        let Some(table) = self.table(key) else { return Vec::new() };
        let list = |(name, value): (&toml::Spanned<DeString<'_>>, &'d toml::Spanned<DeValue<'d>>)| {
            let found = Placed { value: value.get_ref(), at: value.span().start };
            let Some(items) = found.value.as_array() else {
                table.meant(&found, name.get_ref(), "a list of texts");
                return None;
            };
            let item = |item: &'d toml::Spanned<DeValue<'d>>| {
                table.as_text(Placed { value: item.get_ref(), at: item.span().start }, name.get_ref())
            };
            let name = Placed { value: name.get_ref().to_string(), at: name.span().start };
            Some((name, items.iter().filter_map(item).collect()))
        };
        let mut lists: Vec<_> = table.entries.iter().filter_map(list).collect();
        lists.sort_by_key(|(name, _)| name.at);
        self.faulty.set(self.faulty.get() || table.faulty.get());
        lists
    }

    /// A text, which has it all; or numbers by keys of the user's choice, in the order of the file.
    pub fn shares(&self, key: &'static str) -> Vec<(Placed<String>, u32)> {
        let Some(found) = self.get(key) else { return Vec::new() };
        if found.value.as_str().is_some() {
            return self.as_text(found, key).into_iter().map(|text| (text, 1)).collect();
        }
        let Some(entries) = found.value.as_table() else {
            self.meant(&found, key, "a text in quotes or a table of numbers");
            return Vec::new();
        };
        let share = |(name, value): (&toml::Spanned<DeString<'_>>, &'d toml::Spanned<DeValue<'d>>)| {
            let found = Placed { value: value.get_ref(), at: value.span().start };
            let number = self.as_number(&found, &format!("{key}.{}", name.get_ref()), u32::MAX)?;
            Some((Placed { value: name.get_ref().to_string(), at: name.span().start }, number))
        };
        let mut shares: Vec<_> = entries.iter().filter_map(share).collect();
        shares.sort_by_key(|(name, _)| name.at);
        shares
    }

    /// Refuses the keys that were not asked for.
    pub fn finish(&self) {
        let asked = self.asked.borrow();
        for (key, _) in self.entries.iter().filter(|(key, _)| !asked.contains(&&**key.get_ref())) {
            let advice = match nearest(key.get_ref(), asked.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", asked.join(", ")),
            };
            self.wrong(key.span().start, key.get_ref(), format_args!("there is no such key; {advice}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let document = Document::new("f", "a\nüb\n\nc");
        let place = |at| document.place(at).to_string();
        assert_eq!(["f:1:1", "f:1:2", "f:2:1", "f:2:2", "f:3:1", "f:4:1"], [0, 1, 2, 4, 6, 7].map(place)[..]);
        assert_eq!(place(99), "f:4:2");
    }

    #[test]
    fn many_mistakes_are_counted() {
        let text = "a\n".repeat(3 * MOST_MISTAKES);
        let found = Document::new("f", &text).parse().expect_err("no TOML");
        assert_eq!(found.len(), MOST_MISTAKES + 1);
        assert!(found[0].starts_with("f:1:") && found[MOST_MISTAKES].contains("further"), "{found:?}");
    }
}
