//! A file that a thread reads again each second.

use arc_swap::ArcSwap;
use polywire_call::ConfigError;
use std::{
    convert::Infallible,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::{
        Arc, Weak,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

/// The interval of looks.
const LOOK: Duration = Duration::from_secs(1);

/// What a file says. It is replaced when the file changes and can be used; otherwise it stays.
pub(crate) struct Watched<T> {
    value: ArcSwap<T>,
    path: PathBuf,
    most: usize,
    parse: fn(&[u8]) -> Result<T, String>,
    /// Ends the thread when it is dropped. Nothing is sent.
    _alive: Sender<Infallible>,
}

impl<T: Send + Sync + 'static> Watched<T> {
    /// Reads a file of at most `most` bytes, and starts the thread that reads it again. `option`: what names
    /// it in errors.
    pub fn new(
        option: &'static str,
        path: &Path,
        most: usize,
        parse: fn(&[u8]) -> Result<T, String>,
    ) -> Result<Arc<Watched<T>>, ConfigError> {
        let shown = path.display();
        let wrong =
            |why: String| ConfigError::new(option, format!("{shown}: {why}")).with_value(shown.to_string());
        let text = read(path, most).map_err(wrong)?;
        let value = ArcSwap::from_pointee(parse(&text).map_err(wrong)?);
        let (alive, ended) = channel();
        let watched = Arc::new(Watched { value, path: path.to_owned(), most, parse, _alive: alive });
        let again = Arc::downgrade(&watched);
        thread::Builder::new()
            .name("polywire-keys".into())
            .spawn(move || read_again(&again, &ended, text))
            .map_err(|error| wrong("no thread that reads it again".into()).with_source(error))?;
        Ok(watched)
    }

    pub fn current(&self) -> Arc<T> {
        self.value.load_full()
    }

    /// Reads the file. `known`: what was read last, and is in use; `failed`: why the last one is not.
    fn look(&self, known: &mut Vec<u8>, failed: &mut Option<String>) {
        let read = read(&self.path, self.most);
        let changed = match read {
            Ok(text) if text == *known => Ok(None),
            Ok(text) => (self.parse)(&text).map(|value| Some((text, value))),
            Err(why) => Err(why),
        };
        let path = self.path.display();
        match changed {
            Ok(None) => *failed = None,
            Ok(Some((text, value))) => {
                tracing::info!(%path, "read again");
                self.value.store(Arc::new(value));
                (*known, *failed) = (text, None);
            }
            Err(why) if failed.as_ref() != Some(&why) => {
                tracing::warn!(%path, why, "cannot be used: what was read last stays");
                *failed = Some(why);
            }
            Err(_) => {}
        }
    }
}

/// Runs on a thread of its own: file systems may be slow.
fn read_again<T: Send + Sync + 'static>(
    watched: &Weak<Watched<T>>,
    ended: &Receiver<Infallible>,
    known: Vec<u8>,
) {
    let (mut known, mut failed) = (known, None);
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(LOOK) {
        let Some(watched) = watched.upgrade() else { return };
        watched.look(&mut known, &mut failed);
    }
}

fn read(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most as u64 + 1).read_to_end(&mut text));
    match read {
        Ok(_) if text.len() > most => Err(format!("longer than {most} bytes")),
        Ok(_) => Ok(text),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &[u8]) -> Result<u32, String> {
        std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or("no number".to_owned())
    }

    #[test]
    fn what_was_good_last_stays_while_a_file_is_wrong_too_long_or_gone() {
        let folder = std::env::temp_dir().join(format!("polywire-jwt-{}-reload", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("file");
        let write = |text: &str| std::fs::write(&path, text).expect("a file");
        write("x");
        assert!(Watched::new("n", &path, 4, number).is_err());
        write("1");
        let watched = Watched::new("n", &path, 4, number).expect("a number");
        let (mut known, mut failed) = (b"1".to_vec(), None);
        let mut after = |text: Option<&str>| {
            text.map_or_else(|| std::fs::remove_file(&path).expect("it is there"), write);
            watched.look(&mut known, &mut failed);
            (*watched.current(), failed.is_some())
        };
        assert_eq!(after(Some("2")), (2, false));
        assert_eq!(after(Some("y")), (2, true));
        assert_eq!(after(Some("33333")), (2, true));
        assert_eq!(after(None), (2, true));
        assert_eq!(after(Some("2")), (2, false));
        assert_eq!(after(Some("4444")), (4444, false));
        std::fs::remove_dir_all(folder).expect("it is there");
    }
}
