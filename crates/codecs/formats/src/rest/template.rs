//! Path templates of `google.api.http`: parsed from text, matched against paths, filled with values.
//!
//! ```text
//! Template  = "/" Segments [ ":" LITERAL ]
//! Segments  = Segment { "/" Segment }
//! Segment   = "*" | "**" | LITERAL | Variable
//! Variable  = "{" FieldPath [ "=" Segments ] "}"
//! FieldPath = IDENT { "." IDENT }
//! ```
//!
//! `**` must be the last segment. Source: `google/api/http.proto`, "Path template syntax".

use super::percent;

/// A path with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    segments: Vec<Segment>,
    suffix: Option<String>,
    pub(super) variables: Vec<Variable>,
}

/// One segment of a template, between slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    Literal(String),
    /// `*`: any one segment that is not empty.
    One,
    /// `**`: any number of remaining segments, including zero.
    Rest,
}

/// A variable, and the segments that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Names of fields, separated by dots.
    pub field: String,
    first: usize,
    end: usize,
    /// Whether the variable may cover more than one segment; slashes in its value are then not encoded.
    pub many: bool,
}

/// Longest template in bytes.
const LONGEST: usize = 4096;

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// The fault of the template.
    pub fn parse(text: &str) -> Result<Template, String> {
        if text.len() > LONGEST {
            return Err(format!("longer than {LONGEST} bytes"));
        }
        let inside = text.strip_prefix('/').ok_or("a path begins with a slash")?;
        let mut template = Template { segments: Vec::new(), suffix: None, variables: Vec::new() };
        // The suffix follows the last slash and the last brace.
        let from = inside.rfind(['/', '}']).map_or(0, |at| at + 1);
        let (segments, suffix) = match inside[from..].rfind(':') {
            Some(at) => (&inside[..from + at], Some(&inside[from + at + 1..])),
            None => (inside, None),
        };
        template.segments(segments)?;
        if let Some(suffix) = suffix {
            check_literal(suffix, "behind the colon")?;
            template.suffix = Some(suffix.to_owned());
        }
        let at_end = template.segments.len().saturating_sub(1);
        match template.segments.iter().position(|segment| *segment == Segment::Rest) {
            Some(at) if at != at_end => Err("`**` is not the last segment".to_owned()),
            _ => Ok(template),
        }
    }

    /// A template of literals only, whatever characters they contain; empty segments are ignored. The text
    /// after a colon is the suffix, as in a parsed template.
    pub fn literals(path: &str) -> Template {
        let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let last = parts.last().and_then(|last| last.rsplit_once(':'));
        let mut suffix = None;
        if let Some((front, back)) = last.filter(|(front, back)| !front.is_empty() && !back.is_empty()) {
            suffix = Some(back.to_owned());
            *parts.last_mut().expect("it has a colon") = front;
        }
        let segments = parts.into_iter().map(|part| Segment::Literal(part.to_owned())).collect();
        Template { segments, suffix, variables: Vec::new() }
    }

    fn segments(&mut self, mut rest: &str) -> Result<(), String> {
        loop {
            rest = match rest.strip_prefix('{') {
                Some(inside) => self.variable(inside)?,
                None => {
                    let end = rest.find('/').unwrap_or(rest.len());
                    self.segments.push(segment(&rest[..end])?);
                    &rest[end..]
                }
            };
            match rest.strip_prefix('/') {
                Some(more) => rest = more,
                None if rest.is_empty() => return Ok(()),
                None => return Err(format!("{rest:?} follows a variable in the same segment")),
            }
        }
    }

    /// Parses a variable after its opening brace; returns the text that follows it.
    fn variable<'t>(&mut self, inside: &'t str) -> Result<&'t str, String> {
        let (inside, rest) = inside.split_once('}').ok_or("a `{` without its `}`")?;
        if inside.contains('{') {
            return Err("a variable inside a variable".to_owned());
        }
        let (field, segments) = inside.split_once('=').unwrap_or((inside, "*"));
        if !field.split('.').all(is_name) {
            return Err(format!("{field:?} is not a field name"));
        }
        let overlaps = |other: &Variable| {
            let (long, short) =
                if other.field.len() > field.len() { (&*other.field, field) } else { (field, &*other.field) };
            long.strip_prefix(short).is_some_and(|more| more.is_empty() || more.starts_with('.'))
        };
        if let Some(other) = self.variables.iter().find(|other| overlaps(other)) {
            return Err(match other.field == field {
                true => format!("variable {field} is there twice"),
                false => format!("variables {} and {field} are one inside the other", other.field),
            });
        }
        let first = self.segments.len();
        for one in segments.split('/') {
            self.segments.push(segment(one)?);
        }
        let end = self.segments.len();
        let many = end - first > 1 || self.segments[first] == Segment::Rest;
        self.variables.push(Variable { field: field.to_owned(), first, end, many });
        Ok(rest)
    }

    /// The segments of the template.
    pub fn as_segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The text after the colon.
    pub fn suffix(&self) -> Option<&str> {
        self.suffix.as_deref()
    }

    /// The variable that covers this segment, by its place among the variables, and how many segments it has.
    pub fn variable_at(&self, segment: usize) -> Option<(usize, usize)> {
        let covers = |variable: &Variable| (variable.first..variable.end).contains(&segment);
        let at = self.variables.iter().position(covers)?;
        Some((at, self.variables[at].end - self.variables[at].first))
    }

    /// The values of the variables in a path, still percent-encoded; `None` if the path does not match. One
    /// slash at the end of a path is ignored.
    pub(super) fn values<'p>(&self, path: &'p str) -> Option<Vec<&'p str>> {
        let inside = path.strip_prefix('/')?;
        let inside = inside.strip_suffix('/').unwrap_or(inside);
        let inside = match &self.suffix {
            Some(suffix) => inside.strip_suffix(&**suffix)?.strip_suffix(':')?,
            None => inside,
        };
        // Where each segment begins, and where the last one ends.
        let mut bounds = vec![0];
        let mut at = 0;
        let parts = inside.split('/').filter(|_| !inside.is_empty());
        let mut parts = parts.peekable();
        for segment in &self.segments {
            if *segment == Segment::Rest {
                if parts.by_ref().any(str::is_empty) {
                    return None;
                }
                at = inside.len() + 1;
                bounds.push(at);
                break;
            }
            let part = parts.next().filter(|part| !part.is_empty())?;
            if matches!(segment, Segment::Literal(text) if text != part) {
                return None;
            }
            at += part.len() + 1;
            bounds.push(at);
        }
        if parts.next().is_some() {
            return None;
        }
        let between = |variable: &Variable| {
            let (first, end) = (bounds[variable.first], bounds[variable.end]);
            inside.get(first..end.saturating_sub(1).max(first)).unwrap_or_default()
        };
        Some(self.variables.iter().map(between).collect())
    }

    /// The path for these values of the variables, percent-encoded.
    ///
    /// # Errors
    /// Which value cannot stand in the path.
    pub(super) fn path(&self, values: &[Vec<u8>]) -> Result<String, String> {
        let mut path = String::new();
        let mut at = 0;
        for (variable, value) in self.variables.iter().zip(values) {
            self.put(&mut path, at..variable.first)?;
            path.push('/');
            at = variable.end;
            let start = path.len();
            percent::encode(&mut path, value, variable.many);
            let wanted = &self.segments[variable.first..variable.end];
            if !fits(wanted, &path[start..]) {
                return Err(match value.is_empty() {
                    true => format!("field {} is empty, and the path needs it", variable.field),
                    false => format!(
                        "field {} is {:?}, which does not fit {:?} in the path",
                        variable.field,
                        String::from_utf8_lossy(&value[..value.len().min(128)]),
                        shown(wanted),
                    ),
                });
            }
        }
        self.put(&mut path, at..self.segments.len())?;
        if let Some(suffix) = &self.suffix {
            path.push(':');
            path.push_str(suffix);
        }
        Ok(path)
    }

    fn put(&self, path: &mut String, which: std::ops::Range<usize>) -> Result<(), String> {
        for segment in &self.segments[which] {
            let Segment::Literal(text) = segment else {
                return Err(format!(
                    "the path has a `{}` that no field stands for",
                    shown(std::slice::from_ref(segment))
                ));
            };
            path.push('/');
            path.push_str(text);
        }
        Ok(())
    }
}

/// Whether a part of a path matches these segments.
fn fits(wanted: &[Segment], text: &str) -> bool {
    let mut parts = text.split('/');
    for segment in wanted {
        match segment {
            Segment::Rest => return parts.all(is_segment),
            segment => match parts.next() {
                Some(part) if !is_segment(part) => return false,
                Some(part) if matches!(segment, Segment::Literal(text) if text != part) => return false,
                Some(_) => {}
                None => return false,
            },
        }
    }
    parts.next().is_none()
}

/// Whether a path can carry this segment: proxies drop empty segments, and resolve `.` and `..`.
fn is_segment(part: &str) -> bool {
    !matches!(part, "" | "." | "..")
}

fn shown(segments: &[Segment]) -> String {
    let text = segments.iter().map(|segment| match segment {
        Segment::Literal(text) => text,
        Segment::One => "*",
        Segment::Rest => "**",
    });
    text.collect::<Vec<_>>().join("/")
}

fn segment(text: &str) -> Result<Segment, String> {
    match text {
        "*" => Ok(Segment::One),
        "**" => Ok(Segment::Rest),
        "" => Err("a segment is empty".to_owned()),
        text => check_literal(text, "a segment").map(|()| Segment::Literal(text.to_owned())),
    }
}

/// Refuses characters that a path cannot have (RFC 3986 3.3), and those that have a meaning in templates.
fn check_literal(text: &str, place: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err(format!("{place}: nothing"));
    }
    if text.contains(['*', '{', '}']) {
        return Err(format!("{place}: {text:?} mixes text with a star or a brace"));
    }
    let usable = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()+,;=:@%".contains(&b);
    match text.chars().find(|c| !u8::try_from(*c).is_ok_and(usable)) {
        Some(wrong) => Err(format!("{place}: {wrong:?} is not allowed in a path; percent-encode it")),
        None if percent::decoded(text, false, false).is_none() => {
            Err(format!("{place}: {text:?} has a percent sign without two hexadecimal digits"))
        }
        None => Ok(()),
    }
}

fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values<'p>(template: &str, path: &'p str) -> Option<Vec<&'p str>> {
        Template::parse(template).unwrap_or_else(|why| panic!("{template}: {why}")).values(path)
    }

    #[test]
    fn variables_are_what_their_segments_are() {
        for (template, path, expected) in [
            ("/v1/items", "/v1/items", Some(vec![])),
            ("/v1/items", "/v1/items/", Some(vec![])),
            ("/v1/items", "/v1/item", None),
            ("/v1/items", "/v1/items/a", None),
            ("/v1/items", "/v1//items", None),
            ("/v1/items", "/v1/items//", None),
            ("/v1/{id}", "/v1/a%2Fb", Some(vec!["a%2Fb"])),
            ("/v1/{id}", "/v1/", None),
            ("/v1/{id}", "/v1", None),
            ("/v1/{id}", "/v1/a/b", None),
            ("/v1/{a}/x/{b.c}", "/v1/1/x/2", Some(vec!["1", "2"])),
            ("/v1/{name=shelves/*/books/*}", "/v1/shelves/1/books/2", Some(vec!["shelves/1/books/2"])),
            ("/v1/{name=shelves/*/books/*}", "/v1/shelves/1/pens/2", None),
            ("/v1/{name=files/**}", "/v1/files/a/b/c", Some(vec!["files/a/b/c"])),
            ("/v1/{name=files/**}", "/v1/files", Some(vec!["files"])),
            ("/v1/{name=**}", "/v1/a/b", Some(vec!["a/b"])),
            ("/v1/{name=**}", "/v1", Some(vec![""])),
            ("/v1/{name=**}", "/v1/a//b", None),
            ("/v1/*/{b}", "/v1/any/2", Some(vec!["2"])),
            ("/v1/{id}:cancel", "/v1/7:cancel", Some(vec!["7"])),
            ("/v1/{id}:cancel", "/v1/7", None),
            ("/v1/{id}:cancel", "/v1/:cancel", None),
            ("/v1/{id}", "/v1/7:cancel", Some(vec!["7:cancel"])),
            ("/v1/{name=a/**}:go", "/v1/a/b/c:go", Some(vec!["a/b/c"])),
            ("/v1/things:search", "/v1/things:search", Some(vec![])),
            ("/{a}", "x", None),
            ("/{a}", "/", None),
        ] {
            assert_eq!(values(template, path), expected, "{template} {path}");
        }
    }

    #[test]
    fn wrong_templates_are_refused_with_the_reason() {
        for (template, reason) in [
            ("", "begins with a slash"),
            ("v1/x", "begins with a slash"),
            ("{a}", "begins with a slash"),
            ("/", "empty"),
            ("//a", "empty"),
            ("/a//b", "empty"),
            ("/a/", "empty"),
            ("/a/{b}/", "empty"),
            ("/{a=}", "empty"),
            ("/{a=x/}", "empty"),
            ("/{a=x//y}", "empty"),
            ("/{a", "without its `}`"),
            ("/a}", "mixes text"),
            ("/a{b}", "mixes text"),
            ("/{b}a", "follows a variable"),
            ("/{a}{b}", "follows a variable"),
            ("/{a={b}}", "inside a variable"),
            ("/{}", "not a field name"),
            ("/{=a}", "not a field name"),
            ("/{a.}", "not a field name"),
            ("/{.a}", "not a field name"),
            ("/{a..b}", "not a field name"),
            ("/{a-b}", "not a field name"),
            ("/{1a}", "not a field name"),
            ("/{ a}", "not a field name"),
            ("/{a}/{a}", "twice"),
            ("/{a}/{a.b}", "one inside the other"),
            ("/{a.b}/{a}", "one inside the other"),
            ("/a*", "mixes text"),
            ("/***", "mixes text"),
            ("/**/a", "not the last"),
            ("/{a=**}/b", "not the last"),
            ("/{a=**/b}", "not the last"),
            ("/{a=**}/{b=**}", "not the last"),
            ("/a:", "nothing"),
            ("/a:*", "mixes text"),
            ("/:go", "empty"),
            ("/a b", "percent-encode"),
            ("/a?b=c", "percent-encode"),
            ("/a#b", "percent-encode"),
            ("/é", "percent-encode"),
            ("/a%2", "percent sign"),
            ("/a:b%zz", "percent sign"),
            ("/a\n", "percent-encode"),
        ] {
            let error = Template::parse(template).expect_err(template);
            assert!(error.contains(reason), "{template}: {error}");
        }
        assert!(Template::parse(&format!("/{}", "a".repeat(5000))).is_err());
    }

    #[test]
    fn a_filled_in_path_is_read_back() {
        for (template, fields, path) in [
            ("/v1/{id}", &["a b/c"][..], "/v1/a%20b%2Fc"),
            ("/v1/{id}:go", &["7:8"], "/v1/7%3A8:go"),
            ("/v1/{name=shelves/*}/x", &["shelves/1"], "/v1/shelves/1/x"),
            ("/v1/{name=**}", &["a/é"], "/v1/a/%C3%A9"),
            ("/{a}/{b}", &["1", "2"], "/1/2"),
        ] {
            let read = Template::parse(template).unwrap();
            let given: Vec<Vec<u8>> = fields.iter().map(|field| field.as_bytes().to_vec()).collect();
            let filled = read.path(&given).unwrap();
            assert_eq!(filled, path);
            let back: Vec<_> = read.values(path).unwrap().into_iter().zip(&read.variables).collect();
            let back: Vec<_> =
                back.iter().map(|(text, v)| percent::decoded(text, v.many, false).unwrap()).collect();
            assert_eq!(back, given, "{template}");
        }
    }

    #[test]
    fn what_would_be_another_path_is_not_sent() {
        for (template, value, reason) in [
            ("/v1/{id}", "", "is empty"),
            ("/v1/{id}", "..", "does not fit"),
            ("/v1/{id}", ".", "does not fit"),
            ("/v1/{name=shelves/*}", "shelf/1", "does not fit"),
            ("/v1/{name=shelves/*}", "shelves", "does not fit"),
            ("/v1/{name=shelves/*}", "shelves/", "does not fit"),
            ("/v1/{name=shelves/*}", "shelves/1/2", "does not fit"),
            ("/v1/{name=shelves/*}", "shelves/..", "does not fit"),
            ("/v1/{name=a/**}", "a//b", "does not fit"),
            ("/v1/{name=a/**}", "a/../b", "does not fit"),
            ("/v1/{name=**}", "", "is empty"),
            ("/v1/*/{id}", "1", "no field stands for"),
        ] {
            let template = Template::parse(template).unwrap();
            let error = template.path(&[value.as_bytes().to_vec()]).unwrap_err();
            assert!(error.contains(reason), "{value}: {error}");
        }
    }
}
