//! A bar chart as SVG: one group below the other on one scale that begins at zero, ours in colour.

use std::fmt::Write;

/// The looks of a chart, by the names that the files end with.
pub const THEMES: &[(&str, &Colours)] = &[
    (
        "light",
        &Colours { page: "#ffffff", text: "#1f2328", faint: "#59636e", ours: "#0969da", others: "#afb8c1" },
    ),
    (
        "dark",
        &Colours { page: "#0d1117", text: "#e6edf3", faint: "#9198a1", ours: "#4493f8", others: "#57606a" },
    ),
];

pub struct Colours {
    page: &'static str,
    text: &'static str,
    faint: &'static str,
    ours: &'static str,
    others: &'static str,
}

pub struct Chart {
    /// The file's name, without the theme.
    pub name: &'static str,
    pub title: &'static str,
    pub groups: Vec<Group>,
    /// Lines below the bars: what it is, and where it comes from.
    pub notes: Vec<String>,
}

pub struct Group {
    pub title: &'static str,
    pub bars: Vec<Bar>,
}

pub struct Bar {
    pub name: &'static str,
    pub value: f64,
    /// The value as its record says it.
    pub text: String,
    pub is_ours: bool,
}

// In units of the picture, which are pixels where it is shown in its own size.
const WIDTH: f64 = 760.0;
const MARGIN: f64 = 16.0;
/// Where bars begin, right of their names.
const LEFT: f64 = 210.0;
const ROW: f64 = 24.0;
const BAR: f64 = 16.0;
/// Room for the text behind the longest bar.
const TEXT: f64 = 90.0;

impl Chart {
    pub fn svg(&self, colours: &Colours) -> String {
        let Colours { page, text, faint, ours, others } = colours;
        let all = self.groups.iter().flat_map(|group| &group.bars);
        let most = all.map(|bar| bar.value).fold(1e-9, f64::max);
        let scale = (WIDTH - LEFT - TEXT - MARGIN) / most;
        let mut body = String::new();
        let mut y = 50.0;
        for group in &self.groups {
            y += 14.0;
            let title = escaped(group.title);
            let _ = writeln!(body, r#"<text x="{MARGIN}" y="{y}" fill="{faint}">{title}</text>"#);
            y += 10.0;
            for bar in &group.bars {
                let width = (bar.value * scale).max(1.5);
                let (fill, weight) = if bar.is_ours { (ours, "bold") } else { (others, "normal") };
                let (name, value) = (escaped(bar.name), escaped(&bar.text));
                let line = y + 13.0;
                let _ = writeln!(
                    body,
                    r#"<text x="{}" y="{line}" text-anchor="end">{name}</text><rect x="{LEFT}" y="{y}" width="{width:.1}" height="{BAR}" rx="2" fill="{fill}"/><text x="{:.1}" y="{line}" font-weight="{weight}">{value}</text>"#,
                    LEFT - 10.0,
                    LEFT + width + 8.0,
                );
                y += ROW;
            }
        }
        y += 14.0;
        for note in &self.notes {
            let _ = writeln!(
                body,
                r#"<text x="{MARGIN}" y="{y}" font-size="12" fill="{faint}">{}</text>"#,
                escaped(note)
            );
            y += 17.0;
        }
        let title = escaped(self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{WIDTH}\" height=\"{y}\" viewBox=\"0 0 {WIDTH} {y}\" \
             font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"{text}\">\n\
             <title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{y}\" rx=\"6\" fill=\"{page}\"/>\n\
             <text x=\"{MARGIN}\" y=\"32\" font-size=\"16\" font-weight=\"bold\">{title}</text>\n{body}</svg>\n"
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_on_one_scale_and_texts_are_escaped() {
        let bar = |name, value: f64, is_ours| Bar { name, value, text: value.to_string(), is_ours };
        let groups = vec![
            Group { title: "a & b", bars: vec![bar("ours", 100.0, true)] },
            Group { title: "c", bars: vec![bar("theirs", 50.0, false)] },
        ];
        let chart = Chart { name: "x", title: "t", groups, notes: vec!["1 < 2".to_owned()] };
        let svg = chart.svg(THEMES[0].1);
        let longest = WIDTH - LEFT - TEXT - MARGIN;
        assert!(
            svg.contains(&format!("width=\"{longest:.1}\""))
                && svg.contains(&format!("width=\"{:.1}\"", longest / 2.0)),
            "{svg}"
        );
        assert!(svg.contains("a &amp; b") && svg.contains("1 &lt; 2"), "{svg}");
    }
}
