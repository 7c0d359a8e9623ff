//! A page as data: one snapshot, rendered in one of three forms.

use crate::{Flame, Value};
use std::borrow::Cow;

/// The content of a page. Pages build it from values; nothing in it is markup.
///
/// ```
/// use polywire_console::{Column, Table, Value, View};
///
/// let shelves = Table::new("shelves", [Column::new("shelf"), Column::new("items"), Column::new("age")])
///     .row("a7", ["a7".into(), 12_u64.into(), Value::Seconds(3.5)])
///     .empty("Nothing is stored yet.");
/// let view = View::new("Stock").fact("items", 12_u64).table(shelves);
/// ```
#[derive(Clone, Debug, Default)]
pub struct View {
    pub title: Cow<'static, str>,
    pub sections: Vec<Section>,
    /// The text form, if it is not to be made from the sections: brpc's pages, byte for byte, with its
    /// content type.
    pub plain: Option<(&'static str, String)>,
    /// The answer in every form, if it is a file and no text, with its content type.
    pub file: Option<(&'static str, Vec<u8>)>,
    /// Seconds after which a browser reloads the whole page, not only its figures.
    pub again: Option<u32>,
}

/// A part of a page.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Section {
    /// A sentence for the reader.
    Note(Cow<'static, str>),
    /// Findings that need the reader's attention, worst first. If there are none, the page says so.
    Findings(Vec<Finding>),
    /// Single figures, with the name that JSON uses for them.
    Facts(&'static str, Vec<Fact>),
    Table(Table),
    Plot(Plot),
    /// Only drawn in HTML: text and JSON have the same content in a table, or on a page of their own.
    Flame(Flame),
    /// Lines of text with a heading: a schema, a stack.
    Lines(Cow<'static, str>, String),
    /// Something that the reader can change, by POST.
    Action(Action),
}

/// Whether something needs the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing to do; shown in grey.
    #[default]
    Fine,
    /// Something that may become bad: worth a look, shown after what is bad.
    Warn,
    /// Something that calls suffer from now: shown first.
    Bad,
}

/// A sentence about a matter that needs attention.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The name of the rule that made the finding, for scripts: `method_fails`.
    pub rule: &'static str,
    pub mark: Mark,
    /// The text of the finding, with its figures.
    pub text: String,
    /// Links to pages with more.
    pub links: Vec<Link>,
}

/// A link within the console: an address relative to its root (`status/shop.Orders/Place`), percent-encoded.
#[derive(Clone, Debug)]
pub struct Link {
    pub text: Cow<'static, str>,
    pub to: String,
}

/// A single figure with its name.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The name in text and JSON; HTML shows it with spaces for `_`.
    pub name: Cow<'static, str>,
    pub value: Value,
    pub mark: Mark,
    /// A short remark beside the figure.
    pub note: Cow<'static, str>,
    /// A link to a page with more.
    pub link: Option<Link>,
    /// The figure's past values, oldest first, for a small plot in HTML.
    pub trend: Vec<f64>,
}

/// Rows of values under the same names.
#[derive(Clone, Debug)]
pub struct Table {
    /// The name in JSON and text; HTML shows it with spaces for `_`.
    pub name: &'static str,
    pub columns: Vec<Column>,
    /// The rows in the page's own order, worst first. A query may ask for another one.
    pub rows: Vec<Row>,
    /// The text that is shown if there are no rows: the reason, and what to do.
    pub empty: Cow<'static, str>,
    /// Rows that there are, if the page left some out.
    pub total: Option<usize>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name in text, JSON and `sort=`; HTML shows it with spaces for `_`.
    pub name: &'static str,
    /// A hint on the column's heading: what it counts, over which window, and its name in `/metrics`.
    pub hint: &'static str,
    /// The link of the cells, if they have one: this address, followed by the row's key.
    pub to: Option<&'static str>,
    /// Whether the column is left out on a narrow screen.
    pub wide: bool,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Identifies it among the others, also in the next snapshot.
    pub key: String,
    pub mark: Mark,
    pub cells: Vec<Value>,
}

/// A plot of figures over time.
#[derive(Clone, Debug)]
pub struct Plot {
    pub name: Cow<'static, str>,
    /// Seconds from one point to the next; the last one is now.
    pub step: u32,
    /// At most four lines, each with its name, oldest point first.
    pub lines: Vec<(Cow<'static, str>, Vec<f64>)>,
}

/// A form whose fields are sent by POST with the token, to an address relative to the console's root.
#[derive(Clone, Debug)]
pub struct Action {
    pub to: String,
    /// The words on the action's button.
    pub button: Cow<'static, str>,
    pub fields: Vec<Field>,
    /// Whether the form sends its fields by GET to the page's own address, which changes nothing: a search.
    pub get: bool,
}

/// A field of an [`Action`].
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Cow<'static, str>,
    pub value: String,
    /// `Some`: one of these.
    pub choices: Option<Vec<String>>,
    /// Lines of text that it shows; 0: it is sent and not shown.
    pub lines: u8,
    /// Whether typed text is hidden.
    pub secret: bool,
}

/// The time at which a view was made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// Seconds since 1970 by the server's clock.
    pub at: f64,
    /// Seconds since the server started.
    pub uptime: f64,
    /// Identifies this run of the server.
    pub boot: u64,
}

impl View {
    pub fn new(title: impl Into<Cow<'static, str>>) -> View {
        View { title: title.into(), sections: Vec::new(), plain: None, file: None, again: None }
    }

    /// A page of brpc, whose text is not changed.
    pub fn plain(mut self, text: String) -> View {
        self.plain = Some(("text/plain; charset=utf-8", text));
        self
    }

    /// Makes a browser reload the page after this many seconds.
    pub fn again(mut self, seconds: u32) -> View {
        self.again = Some(seconds);
        self
    }

    /// A page that is a file; its bytes are the answer in every form.
    pub fn file(mut self, content_type: &'static str, bytes: Vec<u8>) -> View {
        self.file = Some((content_type, bytes));
        self
    }

    pub fn section(mut self, section: Section) -> View {
        self.sections.push(section);
        self
    }

    /// Adds a figure, to the facts that were added last.
    pub fn fact(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> View {
        self.add(Fact::new(name, value));
        self
    }

    /// Adds a figure, to the facts that were added last.
    pub fn add(&mut self, fact: Fact) {
        match self.sections.last_mut() {
            Some(Section::Facts(_, facts)) => facts.push(fact),
            _ => self.sections.push(Section::Facts("facts", vec![fact])),
        }
    }

    pub fn note(self, sentence: impl Into<Cow<'static, str>>) -> View {
        self.section(Section::Note(sentence.into()))
    }

    pub fn table(self, table: Table) -> View {
        self.section(Section::Table(table))
    }

    pub fn plot(self, plot: Plot) -> View {
        self.section(Section::Plot(plot))
    }

    pub fn action(self, action: Action) -> View {
        self.section(Section::Action(action))
    }

    /// The findings of all sections.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.sections.iter().flat_map(|section| match section {
            Section::Findings(findings) => &findings[..],
            _ => &[],
        })
    }
}

impl Fact {
    pub fn new(name: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Fact {
        Fact {
            name: name.into(),
            value: value.into(),
            mark: Mark::Fine,
            note: "".into(),
            link: None,
            trend: Vec::new(),
        }
    }

    pub fn note(mut self, words: impl Into<Cow<'static, str>>) -> Fact {
        self.note = words.into();
        self
    }

    /// Adds the figure's past values, oldest first. A gap is a NaN.
    pub fn trend(mut self, points: Vec<f64>) -> Fact {
        self.trend = points;
        self
    }

    pub fn mark(mut self, mark: Mark) -> Fact {
        self.mark = mark;
        self
    }

    pub fn link(mut self, text: impl Into<Cow<'static, str>>, to: impl Into<String>) -> Fact {
        self.link = Some(Link { text: text.into(), to: to.into() });
        self
    }
}

impl Table {
    pub fn new(name: &'static str, columns: impl Into<Vec<Column>>) -> Table {
        Table {
            name,
            columns: columns.into(),
            rows: Vec::new(),
            empty: "Nothing to show.".into(),
            total: None,
        }
    }

    /// Adds a row. It has as many cells as there are columns; missing ones are blank.
    pub fn row(mut self, key: impl Into<String>, cells: impl Into<Vec<Value>>) -> Table {
        self.push(key, Mark::Fine, cells);
        self
    }

    /// Adds a row, with a mark.
    pub fn push(&mut self, key: impl Into<String>, mark: Mark, cells: impl Into<Vec<Value>>) {
        self.add(key.into(), mark, cells.into());
    }

    fn add(&mut self, key: String, mark: Mark, mut cells: Vec<Value>) {
        cells.resize(self.columns.len(), Value::Blank);
        self.rows.push(Row { key, mark, cells });
    }

    /// Sets the text that is shown if there are no rows: the reason, and what to do.
    pub fn empty(mut self, sentence: impl Into<Cow<'static, str>>) -> Table {
        self.empty = sentence.into();
        self
    }
}

impl Column {
    pub fn new(name: &'static str) -> Column {
        Column { name, hint: "", to: None, wide: false }
    }

    pub fn hint(mut self, hint: &'static str) -> Column {
        self.hint = hint;
        self
    }

    /// Makes the cells link to this address, followed by the row's key.
    pub fn to(mut self, address: &'static str) -> Column {
        self.to = Some(address);
        self
    }

    /// Leaves the column out on narrow screens.
    pub fn wide(mut self) -> Column {
        self.wide = true;
        self
    }
}

impl Action {
    /// A form that POSTs to this address, relative to the console's root.
    pub fn new(to: impl Into<String>, button: impl Into<Cow<'static, str>>) -> Action {
        Action { to: to.into(), button: button.into(), fields: Vec::new(), get: false }
    }

    fn with(mut self, name: impl Into<Cow<'static, str>>, value: String, lines: u8) -> Action {
        self.fields.push(Field { name: name.into(), value, choices: None, lines, secret: false });
        self
    }

    /// A value that is sent and not shown.
    pub fn hidden(self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Action {
        self.with(name, value.into(), 0)
    }

    pub fn field(self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Action {
        self.with(name, value.into(), 1)
    }

    /// A field whose typed text is hidden.
    pub fn secret(mut self, name: impl Into<Cow<'static, str>>) -> Action {
        let (name, value) = (name.into(), String::new());
        self.fields.push(Field { name, value, choices: None, lines: 1, secret: true });
        self
    }

    /// A field of several lines.
    pub fn lines(self, name: impl Into<Cow<'static, str>>, value: impl Into<String>, lines: u8) -> Action {
        self.with(name, value.into(), lines)
    }

    pub fn choice(
        mut self,
        name: impl Into<Cow<'static, str>>,
        chosen: impl Into<String>,
        choices: Vec<String>,
    ) -> Action {
        let (name, value) = (name.into(), chosen.into());
        self.fields.push(Field { name, value, choices: Some(choices), lines: 1, secret: false });
        self
    }
}
