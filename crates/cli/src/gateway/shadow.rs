//! Copies of the calls of a route to another cluster, as a file says it.

use super::{
    cluster::Cluster,
    document::{Placed, Table},
    record::Record,
};
use polywire::{
    ConfigError, DumpRecorder, Metadata,
    gateway::{self, Calls, Figures},
};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

/// A copy that takes longer is none to wait for.
const LONGEST: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub struct Shadow {
    /// Indices of clusters.
    to: usize,
    baseline: Option<usize>,
    /// The part of the calls, as it was written.
    share: String,
    part: f64,
    methods: Vec<String>,
    timeout: Option<Duration>,
    compare: bool,
    streams: bool,
    ignore: Vec<String>,
    show_values: bool,
    /// Where requests are written whose answers differ.
    pub record: Option<Record>,
    /// What writes them, while the plan is served.
    recorder: OnceLock<Arc<DumpRecorder>>,
}

impl Shadow {
    /// Reads the key `shadow` of a route with these names. `find`: the cluster of a name.
    pub fn read(
        route: &Table<'_>,
        names: Option<&str>,
        find: impl Fn(&Table<'_>, &'static str, &Placed<String>) -> Option<usize>,
    ) -> Option<Shadow> {
        let table = route.table("shadow")?;
        let (to, baseline, share) = (table.text("to"), table.text("baseline"), table.text("share"));
        let methods = table.texts("methods");
        let (timeout, ignore) = (table.duration("timeout"), table.texts("ignore").unwrap_or_default());
        let (compare, show_values) = (table.flag("compare"), table.flag("show_values"));
        let streams = table.flag("streams");
        let record = Record::read(&table);
        table.finish();
        if !table.has("to") {
            table.missing("to", "the name of a cluster");
        }
        if methods.as_ref().is_none_or(Vec::is_empty) && table.is_well() {
            let text = "a copy is executed, so name the methods: [\"shop.Stock/Get\", \"shop.Stock/List*\"]";
            table.missing("methods", text);
        }
        for method in methods.iter().flatten() {
            check_method(&table, ("methods", gateway::Shadow::check_method), method, names);
        }
        if let Some(timeout) = timeout.filter(|timeout| timeout.is_zero() || *timeout > LONGEST) {
            let text = format!("{timeout:?} is not more than 0s and at most 60s");
            table.wrong(table.at_key("timeout"), "timeout", text);
        }
        let compares = compare || baseline.is_some();
        for key in ["ignore", "show_values", "record"].into_iter().filter(|key| !compares && table.has(key)) {
            table.wrong(table.at_key(key), key, "it is for answers that are compared: add compare = true");
        }
        let part = match &share {
            None => Some(1.0),
            Some(share) => part(&share.value).or_else(|| {
                let text = format!("{:?}: write a part of the calls such as \"10%\"", share.value);
                table.wrong(share.at, "share", text);
                None
            }),
        };
        let baseline = match &baseline {
            None => None,
            Some(name) => Some(find(&table, "baseline", name)?),
        };
        let to = find(&table, "to", to.as_ref()?)?;
        let texts = |texts: Vec<Placed<String>>| texts.into_iter().map(|text| text.value).collect();
        Some(Shadow {
            to,
            baseline,
            share: share.map_or_else(|| "100%".to_owned(), |share| share.value),
            part: part?,
            methods: texts(methods?),
            timeout,
            compare: compares,
            streams,
            ignore: texts(ignore),
            show_values,
            record,
            recorder: OnceLock::new(),
        })
    }

    /// Begins to write requests whose answers differ; what writes them for a shadow before goes on.
    ///
    /// # Errors
    /// The folder cannot be used.
    pub fn begin_record<'s>(&self, before: impl IntoIterator<Item = &'s Shadow>) -> Result<(), String> {
        let Some(record) = &self.record else { return Ok(()) };
        let has_folder = |old: &Record| old.folder == record.folder;
        let old = before.into_iter().find(|old| old.record.as_ref().is_some_and(has_folder));
        let folder = record.folder.display();
        let recorder = match old {
            Some(old) if old.record != self.record => {
                return Err(format!("{folder}: it has records of other settings: that needs a restart"));
            }
            Some(old) => old.recorder.get().cloned(),
            None => None,
        };
        let recorder = match recorder {
            Some(recorder) => recorder,
            None => {
                Arc::new(DumpRecorder::start(record.options()).map_err(|wrong| format!("{folder}: {wrong}"))?)
            }
        };
        let _ = self.recorder.set(recorder); // a plan begins once
        Ok(())
    }

    /// What writes its requests, if that has begun.
    pub fn recorder(&self) -> Option<&Arc<DumpRecorder>> {
        self.recorder.get()
    }

    /// Writes what is to be written, at the end of the program.
    pub fn flush_record(&self) {
        self.recorder.get().into_iter().for_each(|recorder| recorder.flush());
    }

    /// What a route is given.
    ///
    /// # Errors
    /// Something that [`Shadow::read`] has not seen.
    pub fn copies(
        &self,
        clusters: &[Cluster],
        (route, figures): (&str, &Figures),
    ) -> Result<gateway::Shadow, ConfigError> {
        let to = &clusters[self.to];
        let shadow = gateway::Shadow::to(to.behind()).share(self.part).show_values(self.show_values);
        let shadow = self.methods.iter().try_fold(shadow, |shadow, method| shadow.method(method))?;
        let shadow = self.timeout.into_iter().fold(shadow, gateway::Shadow::timeout).streams(self.streams);
        let shadow = if self.compare { shadow.compare() } else { shadow };
        let baseline = self.baseline.iter().map(|k| clusters[*k].behind());
        let shadow = baseline.fold(shadow, gateway::Shadow::baseline).ignore(&self.ignore);
        let shadow = self.recorder.get().into_iter().fold(shadow, gateway::Shadow::record);
        Ok(shadow.counted(figures, route, &to.name))
    }

    /// For a call of this method, for the operator.
    pub fn words(&self, clusters: &[Cluster], called: (&str, &str)) -> String {
        let to = &clusters[self.to].name;
        if !is_named(&self.methods, called) {
            return format!("shadow {to}: not copied, the method is not among `methods`");
        }
        let compared = match self.baseline {
            _ if !self.compare => String::new(),
            None => ", and the answers are compared".to_owned(),
            Some(k) => format!(", and the answers are compared, with {} for the noise", clusters[k].name),
        };
        let recorded = self.record.as_ref().map_or_else(String::new, |record| {
            format!("; requests are recorded in {} if they differ", record.folder.display())
        });
        let streams = if self.streams { ", streams too" } else { "" };
        format!("shadow {to}: {} of the calls are copied there{streams}{compared}{recorded}", self.share)
    }
}

/// Checks a text of methods at a key of a route with these names.
pub fn check_method(
    table: &Table<'_>,
    (key, check): (&str, fn(&str) -> Result<Calls, ConfigError>),
    method: &Placed<String>,
    names: Option<&str>,
) {
    let calls = match check(&method.value) {
        Ok(calls) => calls,
        Err(wrong) => return table.wrong(method.at, key, wrong),
    };
    if let Some(Ok(route)) = names.map(str::parse::<Calls>)
        && !route.covers(&calls)
    {
        let text = format!("{:?} is not among the calls of the route", method.value);
        table.wrong(method.at, key, text);
    }
}

/// Whether a method is among those of these texts.
pub fn is_named(methods: &[String], called: (&str, &str)) -> bool {
    let has = |calls: Calls| calls.mismatch(called, &Metadata::new(), None).is_none();
    methods.iter().any(|text| text.parse().is_ok_and(has))
}

/// The part of all that a text such as `10%` says.
pub fn part(text: &str) -> Option<f64> {
    let number: f64 = text.strip_suffix('%')?.trim_end().parse().ok()?;
    (number > 0.0 && number <= 100.0).then_some(number / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages_above_zero() {
        assert_eq!((part("10%"), part("0.5 %"), part("100%")), (Some(0.1), Some(0.005), Some(1.0)));
        for wrong in ["10", "0%", "101%", "-1%", "x%", "%", "NaN%", "inf%"] {
            assert_eq!(part(wrong), None, "{wrong}");
        }
    }
}
