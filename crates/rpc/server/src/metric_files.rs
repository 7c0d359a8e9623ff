//! Writes the server's variables to files, in a thread of its own, for as long as the server lives.

use crate::stats::Stats;
use polywire_base::LineGate;
use polywire_flags::{FlagError, Flags, Linked};
use polywire_metrics::{MetricFileOptions, MetricFiles};
use std::{
    sync::{Arc, Weak},
    thread,
    time::Duration,
};

/// The files of a server. Its thread ends when this is dropped.
pub(crate) struct ServerFiles {
    files: Arc<MetricFiles>,
}

impl ServerFiles {
    /// # Errors
    /// Words about an option that cannot be.
    pub fn new(options: MetricFileOptions) -> Result<ServerFiles, String> {
        Ok(ServerFiles { files: Arc::new(MetricFiles::new(options)?) })
    }

    /// Begins to write, at once and then at intervals.
    pub fn begin(&self, stats: Weak<Stats>) {
        let files = self.files.clone();
        let run = move || {
            while files.wait() {
                let Some(stats) = stats.upgrade() else { return };
                write(&files, &stats);
            }
        };
        if let Err(error) = thread::Builder::new().name("polywire-metric-files".into()).spawn(run) {
            tracing::error!(%error, "no thread that writes variables to files");
        }
    }

    /// Writes once more, at the end of a server.
    pub fn finish(&self, stats: &Stats) {
        if self.files.options().enabled {
            write(&self.files, stats);
        }
        self.files.close();
    }

    /// Registers the settings that can be changed as flags, by the names of brpc's flags.
    pub fn register_flags(&self, flags: &Flags) -> Result<(), FlagError> {
        let [read, write] = [self.files.clone(), self.files.clone()];
        flags.add(Linked::new(
            "bvar_dump",
            "Whether variables are written to files",
            "",
            move || read.options().enabled,
            move |enabled| write.change(|options| options.enabled = enabled),
        ))?;
        let [read, write] = [self.files.clone(), self.files.clone()];
        flags.add(Linked::new(
            "bvar_dump_interval",
            "Seconds after which variables are written again",
            "at least 1",
            move || read.options().interval.as_secs(),
            move |seconds: u64| write.change(|options| options.interval = Duration::from_secs(seconds)),
        ))?;
        type Text = fn(&mut MetricFileOptions) -> &mut String;
        const NAMES: &str = "names with * and ?, separated by , or ;";
        const TEXTS: [(&str, &str, &str, Text); 4] = [
            ("bvar_dump_include", "Variables that are written; empty: all", NAMES, |options| {
                &mut options.include
            }),
            ("bvar_dump_exclude", "Variables that are not written", NAMES, |options| &mut options.exclude),
            ("bvar_dump_prefix", "What stands before each name", "a text", |options| &mut options.prefix),
            ("bvar_dump_tabs", "Variables in files of their own", "NAME=PATTERNS;NAME=PATTERNS", |options| {
                &mut options.tabs
            }),
        ];
        for (name, help, allowed, text) in TEXTS {
            let [read, write] = [self.files.clone(), self.files.clone()];
            flags.add(Linked::parsed(
                name,
                help,
                allowed,
                move || std::mem::take(text(&mut read.options())),
                move |value: String| write.change(|options| *text(options) = value),
            ))?;
        }
        Ok(())
    }
}

impl Drop for ServerFiles {
    fn drop(&mut self) {
        self.files.close();
    }
}

fn write(files: &MetricFiles, stats: &Stats) {
    static GATE: LineGate = LineGate::one_in(60);
    if let Err(error) = files.write(stats.shown())
        && let Some(left_out) = GATE.pass()
    {
        tracing::warn!(%error, left_out, "variables could not be written to a file");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_metrics::{Counter, Passive, Reading, Registry};
    use std::time::Instant;

    #[test]
    fn files_are_written_though_a_variable_panics() {
        let folder = std::env::temp_dir().join(format!("polywire-server-files-{}", std::process::id()));
        let registry = Registry::new();
        let mut reads = std::iter::once(Reading::Level(1));
        let reads = std::sync::Mutex::new(move || reads.next().expect("of the application"));
        registry
            .expose("broken", Passive::new(move || polywire_base::lock(&reads)()))
            .expect("its name is free");
        registry.expose("sold", Counter::new()).expect("its name is free");
        let stats = Stats::new(&[], registry);
        let file = folder.join("shop.data");
        let options = MetricFileOptions::default().file(&file).prefix("shop");
        let files =
            ServerFiles::new(options.labelled_file(folder.join("labelled.data"))).expect("valid options");
        files.begin(Arc::downgrade(&stats));
        let written = || {
            let end = Instant::now() + Duration::from_secs(30);
            loop {
                match std::fs::read_to_string(&file) {
                    Ok(text) => return text,
                    Err(_) => assert!(Instant::now() < end, "nothing is written"),
                }
                thread::yield_now();
            }
        };
        let text = written();
        assert!(text.contains("shop_sold : 0\r\n") && text.contains("its code has panicked"), "{text}");
        std::fs::remove_file(&file).expect("it was written");
        files.files.change(|_| {}).expect("valid options");
        assert_eq!(written(), text, "the thread goes on");
        files.files.close();
        let _ = std::fs::remove_dir_all(&folder); // the system does it otherwise
    }
}
