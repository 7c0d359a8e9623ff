//! Variables in files, written again at intervals, as with Apache brpc's `-bvar_dump`; and for Prometheus'
//! node_exporter.
//!
//! ```text
//!  monitor/bvar.shop.latency.data     tabs: a variable is in the file of the first that matches
//!  monitor/bvar.shop.data             the other variables:        shop_process_fd_count : 12\r\n
//!  monitor/mbvar.shop.data            those with labels:          shop_calls{of="a"} : 7\r\n
//!  /var/lib/node_exporter/shop.prom   all of `/metrics`, if asked for
//! ```
//!
//! A file is written beside its final path and then moved there, so that readers always see a complete one.
//! There is no thread here: the owner of the registry asks [`MetricFiles::wait`] when to call
//! [`MetricFiles::write`].
//!
//! Source:     `src/bvar/variable.cpp` of Apache brpc, in its terms; names of the options are those of its
//!             flags.
//! Deviations: brpc writes over the file in place. The pattern `$` stands for one character, as `?` does
//!             there and here.
//! Limits:     the size of the registry; tabs at most 64.

use crate::{Registry, matches, storage::cells::lock};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
    sync::{Condvar, Mutex},
    time::{Duration, Instant},
};

/// The files that variables are written to, and the variables in each. Each field has brpc's default.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MetricFileOptions {
    /// `bvar_dump_file`; a `.data` at its end is replaced by the suffix of each tab. Default
    /// `monitor/bvar.PROGRAM.data`. Missing folders are created.
    pub file: PathBuf,
    /// `mbvar_dump_file`, for variables with labels. Default `monitor/mbvar.PROGRAM.data`.
    pub labelled_file: PathBuf,
    /// A further file with all of `/metrics` in Prometheus' text format. Default: none.
    pub prometheus_file: Option<PathBuf>,
    /// `bvar_dump`: whether files are written. Default: yes, unlike in brpc, where it is off.
    pub enabled: bool,
    /// `bvar_dump_interval`. Default 10 s, at least 1 s.
    pub interval: Duration,
    /// `bvar_dump_include`: names with `*` and `?`, separated by `,` or `;`. Empty, the default: all.
    pub include: String,
    /// `bvar_dump_exclude`: names and patterns that are left out; it takes precedence over the included ones.
    /// Empty, the default: none.
    pub exclude: String,
    /// `bvar_dump_prefix`: the prefix of each name, followed by `_`. Default: the program's file name.
    pub prefix: String,
    /// `bvar_dump_tabs`: `NAME=PATTERNS;NAME=PATTERNS`, files of their own.
    pub tabs: String,
}

impl Default for MetricFileOptions {
    fn default() -> Self {
        let program = std::env::current_exe().ok();
        let name = program.as_deref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
        let name = name.unwrap_or("program");
        MetricFileOptions {
            file: format!("monitor/bvar.{name}.data").into(),
            labelled_file: format!("monitor/mbvar.{name}.data").into(),
            prometheus_file: None,
            enabled: true,
            interval: Duration::from_secs(10),
            include: String::new(),
            exclude: String::new(),
            prefix: name.to_owned(),
            tabs: "latency=*_latency*;qps=*_qps*;error=*_error*;system=*process_*,*malloc_*,*kernel_*"
                .to_owned(),
        }
    }
}

macro_rules! setters {
    ($($name:ident: $type:ty = $value:expr;)*) => {
        impl MetricFileOptions {$(
            #[doc = concat!("Sets [`", stringify!($name), "`](MetricFileOptions::", stringify!($name), ").")]
            #[must_use]
            pub fn $name(mut self, $name: $type) -> Self {
                self.$name = $value;
                self
            }
        )*}
    };
}

setters! {
    file: impl Into<PathBuf> = file.into();
    labelled_file: impl Into<PathBuf> = labelled_file.into();
    prometheus_file: impl Into<PathBuf> = Some(prometheus_file.into());
    enabled: bool = enabled;
    interval: Duration = interval;
    include: impl Into<String> = include.into();
    exclude: impl Into<String> = exclude.into();
    prefix: impl Into<String> = prefix.into();
    tabs: impl Into<String> = tabs.into();
}

/// The files, and the options that can be changed while the program runs: all but the paths.
pub struct MetricFiles {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    options: MetricFileOptions,
    closed: bool,
    /// When the files were last written.
    written: Option<Instant>,
}

/// Tabs beyond these are an error.
const MOST_TABS: usize = 64;
const LEAST_INTERVAL: Duration = Duration::from_secs(1);

impl MetricFiles {
    /// # Errors
    /// Words about the tabs or the interval that cannot be.
    pub fn new(options: MetricFileOptions) -> Result<MetricFiles, String> {
        check(&options)?;
        let state = Mutex::new(State { options, closed: false, written: None });
        Ok(MetricFiles { state, changed: Condvar::new() })
    }

    pub fn options(&self) -> MetricFileOptions {
        lock(&self.state).options.clone()
    }

    /// Changes options except for the paths, so that operators who may change flags cannot choose files. The
    /// files are written soon.
    ///
    /// # Errors
    /// The text of an error about an invalid option. Then nothing is changed.
    pub fn change(&self, change: impl FnOnce(&mut MetricFileOptions)) -> Result<(), String> {
        let mut state = lock(&self.state);
        let mut changed = state.options.clone();
        change(&mut changed);
        check(&changed)?;
        let MetricFileOptions { file, labelled_file, prometheus_file, .. } = state.options.clone();
        state.options = MetricFileOptions { file, labelled_file, prometheus_file, ..changed };
        state.written = None;
        self.changed.notify_all();
        Ok(())
    }

    /// Blocks until the files are to be written; false: they were closed.
    pub fn wait(&self) -> bool {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return false;
            }
            let age = state.written.map_or(Duration::MAX, |written| written.elapsed());
            let left = state.options.interval.saturating_sub(age);
            state = match (state.options.enabled, left) {
                (true, Duration::ZERO) => return true,
                (true, left) => match self.changed.wait_timeout(state, left) {
                    Ok((state, _)) => state,
                    Err(poisoned) => poisoned.into_inner().0,
                },
                (false, _) => self.changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner()),
            };
        }
    }

    /// Ends [`MetricFiles::wait`]: nothing is written any more.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Writes all files.
    ///
    /// # Errors
    /// The first error, with the path of its file; the other files are written.
    pub fn write(&self, registry: &Registry) -> io::Result<()> {
        let options = {
            let mut state = lock(&self.state);
            state.written = Some(Instant::now());
            state.options.clone()
        };
        let mut done = Ok(());
        for (path, text) in texts(&options, registry) {
            let written = replace(&path, &text)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())));
            done = done.and(written);
        }
        done
    }
}

fn check(options: &MetricFileOptions) -> Result<(), String> {
    if options.interval < LEAST_INTERVAL {
        return Err("the interval has to be at least 1 s".to_owned());
    }
    let tabs = tabs(&options.tabs)?;
    if tabs.len() > MOST_TABS {
        return Err(format!("there are more than {MOST_TABS} tabs"));
    }
    Ok(())
}

/// The tabs of a specification: names with their patterns.
fn tabs(text: &str) -> Result<Vec<(&str, String)>, String> {
    text.split(';').filter(|part| !part.trim().is_empty()).map(tab).collect()
}

fn tab(tab: &str) -> Result<(&str, String), String> {
    let wrong = || format!("the tab {tab:?} is not NAME=PATTERNS, with letters, digits, _ and - in its name");
    let (name, patterns) = tab.split_once('=').ok_or_else(wrong)?;
    let name = name.trim();
    // It becomes a part of a file's name.
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || !name.chars().all(is_name) || patterns.trim().is_empty() {
        return Err(wrong());
    }
    Ok((name, patterns.replace('?', "$")))
}

/// The text of each file.
fn texts(options: &MetricFileOptions, registry: &Registry) -> BTreeMap<PathBuf, String> {
    let is_data = options.file.extension().is_some_and(|extension| extension == "data");
    let base = if is_data { options.file.with_extension("") } else { options.file.clone() };
    let with = |suffix: &str| {
        let mut path = base.clone().into_os_string();
        path.push(suffix);
        PathBuf::from(path)
    };
    let tabs: Vec<_> = tabs(&options.tabs).unwrap_or_default(); // they were checked
    let tabs: Vec<_> =
        tabs.into_iter().map(|(name, patterns)| (with(&format!(".{name}.data")), patterns)).collect();
    let main = with(".data");
    // Files without a line are written as well: what was there is old.
    let mut texts: BTreeMap<PathBuf, String> =
        tabs.iter().map(|(path, _)| (path.clone(), String::new())).collect();
    texts.insert(main.clone(), String::new());
    texts.insert(options.labelled_file.clone(), String::new());
    let [include, exclude] = [&options.include, &options.exclude].map(|filter| filter.replace('?', "$"));
    let is_empty = |filter: &str| filter.split([',', ';']).all(|part| part.trim().is_empty());
    let dash = if options.prefix.is_empty() { "" } else { "_" };
    for (name, value) in registry.list("") {
        let bare = name.split('{').next().unwrap_or(&name);
        if !matches(&include, bare) || !is_empty(&exclude) && matches(&exclude, bare) {
            continue;
        }
        let path = match bare.len() < name.len() {
            true => &options.labelled_file,
            false => {
                tabs.iter().find(|(_, patterns)| matches(patterns, bare)).map_or(&main, |(path, _)| path)
            }
        };
        if let Some(text) = texts.get_mut(path) {
            // A line is one line, whatever the application's texts are.
            let [name, value] = [name, value].map(|text| text.replace(['\r', '\n'], " "));
            let _ = write!(text, "{}{dash}{name} : {value}\r\n", options.prefix); // to a string: does not fail
        }
    }
    if let Some(path) = &options.prometheus_file {
        texts.insert(path.clone(), registry.prometheus());
    }
    texts
}

/// Replaces a file by one with this text.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = PathBuf::from(beside);
    let done = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        let _ = fs::remove_file(&beside); // it may not be there
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counter, Gauge, Labelled, LatencyRecorder, Name, Status};
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// A folder of its own, removed at the end.
    struct Place(PathBuf);

    impl Place {
        fn new() -> Place {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let name = format!("polywire-metrics-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
            Place(std::env::temp_dir().join(name))
        }
        fn options(&self) -> MetricFileOptions {
            let options = MetricFileOptions::default().file(self.0.join("monitor/bvar.shop.data"));
            options.labelled_file(self.0.join("monitor/mbvar.shop.data")).prefix("shop")
        }
        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.join("monitor").join(name)).expect(name)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn registry() -> Registry {
        let registry = Registry::new();
        registry.expose("place", LatencyRecorder::new()).unwrap();
        registry.expose("process_fd_count", Gauge::new()).unwrap();
        registry.expose("io_error", Counter::new()).unwrap();
        registry.expose("note", Status::new("two\r\nlines : 1".to_owned())).unwrap();
        let labelled: Labelled<Counter, 1> = Labelled::new(["of"], Counter::new);
        labelled.with(["a\nb"]).add(7);
        registry.expose(Name::new("calls"), labelled).unwrap();
        registry
    }

    #[test]
    fn variables_are_in_the_file_of_the_first_tab_that_matches() {
        let place = Place::new();
        let options = place.options().prometheus_file(place.0.join("shop.prom"));
        MetricFiles::new(options).unwrap().write(&registry()).unwrap();
        assert_eq!(place.read("bvar.shop.error.data"), "shop_io_error : 0\r\n");
        assert_eq!(place.read("bvar.shop.system.data"), "shop_process_fd_count : 0\r\n");
        assert_eq!(place.read("bvar.shop.qps.data"), "shop_place_qps : 0\r\n");
        assert!(place.read("bvar.shop.latency.data").contains("shop_place_max_latency : 0\r\n"));
        let main = place.read("bvar.shop.data");
        assert!(main.starts_with("shop_note : ") && main.ends_with("shop_place_count : 0\r\n"), "{main}");
        assert_eq!(main.lines().count(), 2, "{main}");
        let labelled = place.read("mbvar.shop.data");
        assert!(labelled.starts_with("shop_calls{of=\"a") && labelled.ends_with("} : 7\r\n"), "{labelled}");
        assert_eq!(labelled.lines().count(), 1, "{labelled}");
        let prometheus = fs::read_to_string(place.0.join("shop.prom")).unwrap();
        assert!(prometheus.contains("# TYPE process_fd_count gauge\nprocess_fd_count 0\n"), "{prometheus}");
        let files = fs::read_dir(place.0.join("monitor")).unwrap().count();
        assert_eq!(files, 6, "nothing is left beside them");
    }

    #[test]
    fn exclude_goes_before_include_and_both_can_be_changed() {
        let place = Place::new();
        let files = MetricFiles::new(place.options().tabs("").include("io_e??or;p*_count")).unwrap();
        files.write(&registry()).unwrap();
        let expected = "shop_io_error : 0\r\nshop_place_count : 0\r\nshop_process_fd_count : 0\r\n";
        assert_eq!(place.read("bvar.shop.data"), expected);
        let elsewhere = place.0.join("elsewhere.data");
        files.change(|options| (options.exclude, options.file) = ("io_*".into(), elsewhere.clone())).unwrap();
        files.write(&registry()).unwrap();
        assert_eq!(place.read("bvar.shop.data"), "shop_place_count : 0\r\nshop_process_fd_count : 0\r\n");
        assert!(!elsewhere.exists(), "who changes flags chooses no files");
    }

    #[test]
    fn tabs_name_no_other_folder_and_intervals_have_a_least() {
        let place = Place::new();
        for tabs in ["../up=*", "a/b=*", "=x", "latency", "a=", "ä=*"] {
            assert!(MetricFiles::new(place.options().tabs(tabs)).is_err(), "{tabs}");
        }
        let many: String = (0..65).map(|n| format!("t{n}=*;")).collect();
        let files = MetricFiles::new(place.options()).unwrap();
        assert!(files.change(|options| options.tabs = many).is_err());
        assert!(files.change(|options| options.interval = Duration::from_millis(999)).is_err());
        assert_eq!(files.options(), place.options(), "nothing has changed");
    }

    #[test]
    fn whoever_waits_is_told_of_changes_and_of_the_end() {
        let place = Place::new();
        let files = MetricFiles::new(place.options().interval(Duration::from_secs(3600))).unwrap();
        assert!(files.wait(), "the first time at once");
        files.write(&registry()).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| (files.wait(), files.wait()));
            files.change(|options| options.interval = Duration::from_secs(7200)).unwrap();
            // The second wait is a wait for an hour unless it is over at once, since nothing was written.
            assert_eq!(waiting.join().unwrap(), (true, true));
            files.change(|options| options.enabled = false).unwrap();
            let waiting = scope.spawn(|| files.wait());
            files.close();
            assert!(!waiting.join().unwrap());
        });
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named_and_the_others_are_written() {
        let place = Place::new();
        fs::create_dir_all(place.0.join("monitor/bvar.shop.qps.data")).unwrap();
        let error = MetricFiles::new(place.options()).unwrap().write(&registry()).unwrap_err();
        assert!(error.to_string().contains("bvar.shop.qps.data"), "{error}");
        assert_eq!(place.read("bvar.shop.error.data"), "shop_io_error : 0\r\n");
    }
}
