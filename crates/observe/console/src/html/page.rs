//! The layout of every page, and its parts.

use super::{flame, number::formatted, plot, writer::Writer};
use crate::{Action, Fact, Finding, Mark, Moment, Query, Section, Table, Value, View, escape, query::Shown};

/// Rows of a table, unless the query has a number.
const ROWS: usize = 50;

/// The parts of a page beside its view.
#[derive(Clone, Debug)]
pub struct Layout<'l> {
    /// The name of the server.
    pub server: &'l str,
    /// The address on which the server listens.
    pub address: &'l str,
    /// `serving`, `draining`, `not serving`.
    pub state: &'l str,
    pub bar: &'l [Bar<'l>],
    /// The path of the page that is shown.
    pub here: &'l str,
    /// The way from the page to the console's root: `""`, `"../"`, `"../../"`.
    pub root: &'l str,
    pub nonce: &'l str,
    /// The token for forms.
    pub token: &'l str,
    pub moment: Moment,
}

/// A page in the bar.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'b> {
    pub path: &'b str,
    pub title: &'b str,
}

/// The page in HTML.
pub fn page(view: &View, query: &Query, layout: &Layout<'_>) -> String {
    let mut out = Writer::default();
    let need = view.findings().count();
    let has_flame = view.sections.iter().any(|section| matches!(section, Section::Flame(_)));
    out.raw("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'><link rel=icon href='data:,'>");
    if let Some(seconds) = view.again {
        out.raw("<meta http-equiv=refresh").attribute("content", &seconds.to_string()).raw(">");
    }
    out.raw("<title>");
    if need > 0 {
        out.raw("■").text(&need.to_string()).raw(" ");
    }
    out.text(layout.server).raw(" ").text(layout.address).raw(" · ").text(&view.title).raw("</title><style");
    out.attribute("nonce", layout.nonce)
        .raw(">")
        .raw(include_str!("console.css"))
        .raw(if has_flame { flame::CSS } else { "" })
        .raw("</style></head><body");
    out.attribute("data-root", layout.root)
        .attribute("data-boot", &format!("{:x}", layout.moment.boot))
        .raw(">");
    out.raw("<a class=skip href='#main'>to the page</a>");
    head(&mut out, query, layout);
    out.raw("<main id=main><h1>").text(&view.title).raw("</h1>");
    // Several groups of tiles that look alike say by a heading what each is about.
    let groups = view.sections.iter().filter(|section| matches!(section, Section::Facts(..))).count();
    for section in &view.sections {
        match section {
            Section::Note(sentence) => _ = out.raw("<p>").whole(sentence).raw("</p>"),
            Section::Findings(findings) => of_findings(&mut out, findings, layout),
            Section::Facts(name, facts) => {
                if groups > 1 {
                    out.raw("<h2>").text(&words(name)).raw("</h2>");
                }
                of_facts(&mut out, name, facts, layout);
            }
            Section::Table(table) => of_table(&mut out, table, query, &view.title, layout),
            Section::Plot(figure) => plot::plot(&mut out, figure),
            Section::Flame(figure) => flame::flame(&mut out, figure),
            Section::Lines(heading, lines) => {
                out.raw("<h2>").text(heading).raw("</h2><pre tabindex=0>").lines(lines).raw("</pre>");
            }
            Section::Action(action) => of_action(&mut out, action, layout),
        }
    }
    if let (true, Some((_, text))) = (view.sections.is_empty(), &view.plain) {
        out.raw("<pre tabindex=0>").lines(text).raw("</pre>");
    }
    out.raw("</main><p role=status id=say class=m></p><script");
    out.attribute("nonce", layout.nonce)
        .raw(">")
        .raw(include_str!("console.js"))
        .raw(if has_flame { flame::SCRIPT } else { "" })
        .raw("</script></body></html>");
    out.finish()
}

fn head(out: &mut Writer, query: &Query, layout: &Layout<'_>) {
    out.raw("<header><b")
        .attribute("title", layout.server)
        .raw(">")
        .text(layout.server)
        .raw("</b> <span class=m>")
        .text(layout.address)
        .raw("</span> <span class=c>");
    out.text(layout.state).raw("</span> <span class=m>up <span id=up>");
    out.text(&formatted(&Value::Seconds(layout.moment.uptime))).raw("</span></span><span class=f></span>");
    out.raw("<button id=live class=c type=button hidden>live</button><button id=theme class=c type=button hidden>light / dark</button>");
    out.raw("<form role=search method=get").address("action", layout.root, "vars");
    out.raw(
        "><input name=q id=find type=search placeholder='find a variable  /' aria-label='find a variable'",
    );
    out.attribute("value", if layout.here == "vars" { query.get("q").unwrap_or("") } else { "" })
        .raw("></form></header><nav aria-label=pages>");
    for one in layout.bar {
        out.raw("<a").address("href", layout.root, one.path);
        out.raw(if one.path == layout.here { " aria-current=page>" } else { ">" })
            .text(one.title)
            .raw("</a>");
    }
    out.raw("</nav>");
}

fn mark(out: &mut Writer, mark: Mark) {
    out.raw(match mark {
        Mark::Fine => "",
        Mark::Warn => "<span class=w role=img aria-label='look here'>▲</span> ",
        Mark::Bad => "<span class=b role=img aria-label='bad'>■</span> ",
    });
}

fn of_findings(out: &mut Writer, findings: &[Finding], layout: &Layout<'_>) {
    out.raw("<ul class=n id=findings>");
    if findings.is_empty() {
        out.raw("<li>Nothing needs you.</li>");
    }
    for finding in findings {
        out.raw(match finding.mark {
            Mark::Bad => "<li class=tb>",
            Mark::Warn => "<li class=tw>",
            Mark::Fine => "<li>",
        });
        mark(out, finding.mark);
        out.whole(&finding.text);
        for link in &finding.links {
            out.raw(" <a").address("href", layout.root, &link.to).raw(">").text(&link.text).raw("</a>");
        }
        out.raw("</li>");
    }
    out.raw("</ul>");
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn of_facts(out: &mut Writer, group: &str, facts: &[Fact], layout: &Layout<'_>) {
    out.raw("<dl class=t>");
    for fact in facts {
        out.raw("<div><dt>");
        mark(out, fact.mark);
        out.text(&words(&fact.name)).raw("</dt><dd");
        out.attribute("data-v", &format!("{group}/{}", escape::shown(&fact.name)));
        value(out, &fact.value);
        out.raw("</dd>");
        if fact.trend.iter().any(|point| *point > 0.0) {
            out.raw("<dd>");
            plot::spark(out, &fact.trend);
            out.raw("</dd>");
        }
        if !fact.note.is_empty() || fact.link.is_some() {
            out.raw("<dd class=m>").text(&fact.note);
            if let Some(link) = &fact.link {
                out.raw(" <a").address("href", layout.root, &link.to).raw(">").text(&link.text).raw("</a>");
            }
            out.raw("</dd>");
        }
        out.raw("</div>");
    }
    out.raw("</dl>");
}

/// Writes the end of a start tag with the kind of the value, and the value.
fn value(out: &mut Writer, value: &Value) {
    if !value.kind().is_empty() {
        out.attribute("data-u", value.kind());
    }
    match value {
        Value::Trend(points) => {
            out.raw(" class=k>");
            plot::spark(out, points);
        }
        Value::Long(text) => _ = out.raw(">").whole(text),
        Value::Text(text) => _ = out.raw(">").text(text),
        Value::Unknown => _ = out.raw(" class=z>–"),
        other if other.number() == Some(0.0) => _ = out.raw(" class=z>").text(&formatted(other)),
        other => _ = out.raw(">").text(&formatted(other)),
    }
}

fn of_table(out: &mut Writer, table: &Table, query: &Query, title: &str, layout: &Layout<'_>) {
    let shown = table.shown(query, ROWS);
    let is_text = |at: usize| shown.rows.iter().any(|row| row.cells[at].as_text().is_some());
    out.raw("<div class=s tabindex=0><table").attribute("data-t", table.name).raw("><caption");
    // What the page's title says already is for those who cannot see it.
    out.raw(if words(table.name).eq_ignore_ascii_case(title) { " class=v>" } else { ">" })
        .text(&words(table.name));
    out.raw("</caption><thead><tr>");
    for (at, column) in table.columns.iter().enumerate() {
        let class = match (column.wide, is_text(at)) {
            (true, true) => " class=x",
            (true, false) => " class='x r'",
            (false, true) => "",
            (false, false) => " class=r",
        };
        out.raw("<th scope=col").raw(class);
        let sorted = shown.sorted.filter(|(sorted, _)| *sorted == at).map(|(_, falls)| falls);
        out.raw(match sorted {
            Some(true) => " aria-sort=descending",
            Some(false) => " aria-sort=ascending",
            None => "",
        });
        if !column.hint.is_empty() {
            out.attribute("title", column.hint);
        }
        // Figures fall at the first click, since the worst is wanted; texts rise.
        let falls = sorted.map_or(!is_text(at), |falls| !falls);
        let order = format!("{}{}", if falls { "-" } else { "" }, column.name);
        out.raw("><a").attribute("href", &format!("?{}", query.with("sort", Some(&order)))).raw(">");
        out.text(&words(column.name));
        out.raw(match sorted {
            Some(true) => " ▾",
            Some(false) => " ▴",
            None => "",
        });
        out.raw("</a></th>");
    }
    out.raw("</tr></thead><tbody>");
    for row in &shown.rows {
        out.raw("<tr").attribute("data-r", &row.key).raw(">");
        for (at, (cell, column)) in row.cells.iter().zip(&table.columns).enumerate() {
            out.raw("<td").raw(match (column.wide, is_text(at), cell) {
                (true, _, Value::Long(_)) => " data-x='x l'",
                (false, _, Value::Long(_)) => " data-x=l",
                (true, true, _) => " data-x=x",
                (true, false, _) => " data-x='x r'",
                (false, true, _) => "",
                (false, false, _) => " data-x=r",
            });
            match column.to {
                Some(to) => {
                    out.raw(">");
                    if at == 0 {
                        mark(out, row.mark);
                    }
                    let address = format!("{to}{}", escape::path(&row.key));
                    out.raw("<a").address("href", layout.root, &address);
                    value(out, cell);
                    out.raw("</a>");
                }
                None if at == 0 && row.mark != Mark::Fine => {
                    out.raw(">");
                    mark(out, row.mark);
                    out.raw("<span");
                    value(out, cell);
                    out.raw("</span>");
                }
                None => value(out, cell),
            }
            out.raw("</td>");
        }
        out.raw("</tr>");
    }
    out.raw("</tbody></table></div>");
    if shown.rows.is_empty() {
        out.raw("<p class=m>").whole(&table.empty).raw("</p>");
    }
    foot(out, &shown, query);
}

fn foot(out: &mut Writer, shown: &Shown<'_>, query: &Query) {
    let Some(last) = shown.rows.last().filter(|_| shown.more || query.has("after")) else { return };
    out.raw("<p class=m>").text(&format!("{} of {} ", shown.rows.len(), shown.total));
    if shown.more {
        out.raw("<a")
            .attribute("href", &format!("?{}", query.with("after", Some(&last.key))))
            .raw(">next</a> ");
        out.raw("<a")
            .attribute("href", &format!("?{}", query.with("n", Some("500"))))
            .raw(">500 at once</a>");
    } else {
        out.raw("<a")
            .attribute("href", &format!("?{}", query.with("after", None)))
            .raw(">from the start</a>");
    }
    out.raw("</p>");
}

fn of_action(out: &mut Writer, action: &Action, layout: &Layout<'_>) {
    out.raw("<form class=a").raw(if action.get { " method=get" } else { " method=post" });
    out.address("action", layout.root, &action.to).raw(">");
    if !action.get {
        out.raw("<input type=hidden name=token").attribute("value", layout.token).raw(">");
    }
    for field in &action.fields {
        let name = if field.name == "q" { "search".to_owned() } else { words(&field.name) };
        let open = |out: &mut Writer| _ = out.raw("<label>").text(&name).raw(" ");
        match (&field.choices, field.lines) {
            (_, 0) => {
                out.raw("<input type=hidden")
                    .attribute("name", &field.name)
                    .attribute("value", &field.value)
                    .raw(">");
            }
            (Some(choices), _) => {
                open(out);
                out.raw("<select").attribute("name", &field.name).raw(">");
                for choice in choices {
                    out.raw("<option").attribute("value", choice);
                    out.raw(if *choice == field.value { " selected>" } else { ">" })
                        .text(choice)
                        .raw("</option>");
                }
                out.raw("</select></label>");
            }
            (None, 1) => {
                open(out);
                let kind = " type=password autocomplete=current-password required";
                out.raw("<input")
                    .raw(if field.secret { kind } else { "" })
                    .attribute("name", &field.name)
                    .attribute("value", &field.value)
                    .raw("></label>");
            }
            (None, lines) => {
                open(out);
                out.raw("<textarea spellcheck=false").attribute("name", &field.name);
                out.attribute("rows", &lines.to_string())
                    .raw(">\n")
                    .lines(&field.value)
                    .raw("</textarea></label>");
            }
        }
    }
    out.raw("<button>").text(&action.button).raw("</button></form>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Field, Flame, FlameBox, Link, Plot};

    const EVIL: &str = "</script><script>alert(1)</script>\"' onload=x \u{202e}";

    /// Whatever text a view or a query contains, the tags of the page are only those of the program.
    #[test]
    fn no_text_of_a_view_or_a_query_adds_a_tag() {
        let rendered = |text: &str| {
            let own = text.to_owned();
            let link = || Link { text: own.clone().into(), to: own.clone() };
            let table = Table {
                total: Some(99),
                ..Table::new("t", [Column::new("name").to("status/"), Column::new("n")])
            }
            .row(own.clone(), [own.clone().into(), Value::Count(1)])
            .row("z", [own.clone().into(), Value::Trend(vec![1.0, f64::NAN, 3.0])]);
            let mut action =
                Action::new(own.clone(), own.clone()).field("f", own.clone()).lines("l", own.clone(), 3);
            action.fields.push(Field {
                name: own.clone().into(),
                value: own.clone(),
                choices: Some(vec![own.clone()]),
                lines: 1,
                secret: false,
            });
            let finding = Finding { rule: "r", mark: Mark::Bad, text: own.clone(), links: vec![link()] };
            let view = View::new(own.clone())
                .section(Section::Findings(vec![finding]))
                .note(own.clone())
                .section(Section::Facts(
                    "g",
                    vec![
                        Fact::new(own.clone(), own.clone()).note(own.clone()).link(own.clone(), own.clone()),
                    ],
                ))
                .table(table)
                .plot(Plot {
                    name: own.clone().into(),
                    step: 1,
                    lines: vec![(own.clone().into(), vec![1.0, 2.0])],
                })
                .section(Section::Lines(own.clone().into(), own.clone()))
                .section(Section::Flame(Flame {
                    name: own.clone().into(),
                    boxes: vec![FlameBox {
                        depth: 0,
                        start: 0.0,
                        share: 1.0,
                        name: own.clone(),
                        value: own.clone().into(),
                        whose: Default::default(),
                    }],
                }))
                .action(action);
            let mut query = Query::parse("n=1");
            query.push("x", text);
            query.push(text, text);
            let bar = [Bar { path: "status", title: text }];
            let (moment, here) = (Moment::default(), "vars");
            let layout = Layout {
                server: text,
                address: text,
                state: text,
                bar: &bar,
                here,
                root: "",
                nonce: "N",
                token: "T",
                moment,
            };
            page(&view, &query, &layout)
        };
        let tags = |page: &str| page.matches('<').count();
        let (plain, evil) = (rendered("harmless"), rendered(EVIL));
        assert_eq!(tags(&plain), tags(&evil), "{evil}");
        assert!(
            !evil.contains("<script>") && !evil.contains('\u{202e}') && evil.contains("&lt;script&gt;"),
            "{evil}"
        );
        // Whatever follows the quote of an attribute would be one of its own.
        assert!(!plain.contains("style=") && !evil.contains("\" onload="), "{evil}");
    }

    #[test]
    fn several_groups_of_tiles_have_headings_and_one_has_none() {
        let rendered = |groups: &[&'static str]| {
            let facts = |view: View, name| view.section(Section::Facts(name, vec![Fact::new("one", 1u64)]));
            let view = groups.iter().copied().fold(View::new("Method"), facts);
            let layout = Layout {
                server: "s",
                address: "a",
                state: "running",
                bar: &[],
                here: "",
                root: "",
                nonce: "N",
                token: "T",
                moment: Moment::default(),
            };
            page(&view, &Query::parse(""), &layout)
        };
        let two = rendered(&["calls", "own_code"]);
        assert!(two.contains("<h2>calls</h2><dl class=t>") && two.contains("<h2>own code</h2>"), "{two}");
        assert!(!rendered(&["calls"]).contains("<h2>"));
    }
}
