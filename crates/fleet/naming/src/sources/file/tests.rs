//! Files in a folder of their own, and the notifications of the kernel: these tests wait for changes in real
//! time, without a sleep. Their time limit is shorter than the polling interval, so that polling cannot stand
//! in for a notification.

use super::*;
use crate::{Schemes, Set, WatchOptions, Watched, watch_with};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(20);

/// A folder that is removed with its content at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("polywire-naming-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    /// Replaces a file as a whole, in one step.
    fn replace(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.at("new"), text).unwrap();
        fs::rename(self.at("new"), self.at(name)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn start(path: &Path) -> Watched {
    let source = Schemes::builtin().open(&format!("file://{}", path.display())).unwrap();
    let (watched, work) = watch_with(source, WatchOptions::default().set_interval(Duration::ZERO));
    tokio::spawn(work);
    watched
}

fn addresses(set: &Set) -> Vec<&str> {
    set.iter().map(|server| &*server.address).collect()
}

/// Waits until the source names these servers.
async fn servers(watched: &mut Watched, expected: &[&str]) {
    let arrive = async {
        while watched.set().is_none_or(|set| addresses(&set) != expected) {
            watched.changed().await;
        }
    };
    let arrived = tokio::time::timeout(LIMIT, arrive).await;
    assert!(arrived.is_ok(), "expected {expected:?}, there is {watched:?}");
}

/// Waits until the source reports an error.
async fn error(watched: &mut Watched) -> String {
    let arrive = async {
        loop {
            if let Some(error) = watched.error() {
                break error.to_string();
            }
            watched.changed().await;
        }
    };
    tokio::time::timeout(LIMIT, arrive).await.expect("an error")
}

#[tokio::test]
async fn a_file_is_read_again_when_it_is_written_or_replaced() {
    let folder = Folder::new();
    fs::write(folder.at("servers"), "a:1 x\n# comment\nb:2\n").unwrap();
    let mut watched = start(&folder.at("servers"));
    servers(&mut watched, &["a:1", "b:2"]).await;
    assert_eq!(watched.set().unwrap()[0].tag, "x");
    fs::write(folder.at("servers"), "a:2").unwrap();
    servers(&mut watched, &["a:2"]).await;
    for port in 3..6 {
        folder.replace("servers", format!("a:{port}\n"));
        servers(&mut watched, &[&format!("a:{port}")]).await;
    }
}

#[tokio::test]
async fn a_file_that_is_written_in_place_is_read_when_its_writer_closes_it() {
    use std::io::Write;
    let folder = Folder::new();
    folder.replace("servers", "a:1");
    let mut watched = start(&folder.at("servers"));
    servers(&mut watched, &["a:1"]).await;
    let mut writer = fs::File::create(folder.at("servers")).unwrap();
    writer.write_all(b"a:2\nb:").unwrap();
    writer.write_all(b"2\n").unwrap();
    drop(writer);
    tokio::time::timeout(LIMIT, watched.changed()).await.expect("a change");
    assert_eq!((addresses(&watched.set().unwrap()), watched.error()), (vec!["a:2", "b:2"], None));
}

#[tokio::test]
async fn a_file_that_is_missing_is_read_when_it_appears_with_its_folders() {
    let folder = Folder::new();
    let mut watched = start(&folder.at("deep/er/servers"));
    let said = error(&mut watched).await;
    assert!(said.starts_with("cannot read ") && said.contains("deep/er/servers: No such file"), "{said}");
    fs::create_dir(folder.at("deep")).unwrap();
    fs::create_dir(folder.at("deep/er")).unwrap();
    fs::write(folder.at("deep/er/servers"), "a:1").unwrap();
    servers(&mut watched, &["a:1"]).await;
    assert_eq!(watched.error(), None);
}

#[tokio::test]
async fn a_deleted_file_leaves_its_servers_in_use_until_it_is_back() {
    let folder = Folder::new();
    folder.replace("servers", "a:1");
    let mut watched = start(&folder.at("servers"));
    servers(&mut watched, &["a:1"]).await;
    fs::remove_file(folder.at("servers")).unwrap();
    let said = error(&mut watched).await;
    assert!(said.contains("No such file"), "{said}");
    servers(&mut watched, &["a:1"]).await;
    folder.replace("servers", "a:2");
    servers(&mut watched, &["a:2"]).await;
}

#[cfg(unix)]
#[tokio::test]
async fn links_that_change_lead_to_the_new_file_as_in_a_config_map() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let publish = |version: &str, text: &str| {
        fs::create_dir(folder.at(version)).unwrap();
        fs::write(folder.at(version).join("servers"), text).unwrap();
        symlink(version, folder.at("..data_tmp")).unwrap();
        fs::rename(folder.at("..data_tmp"), folder.at("..data")).unwrap();
    };
    publish("..1", "a:1");
    symlink("..data/servers", folder.at("servers")).unwrap();
    let mut watched = start(&folder.at("servers"));
    servers(&mut watched, &["a:1"]).await;
    publish("..2", "a:2");
    fs::remove_dir_all(folder.at("..1")).unwrap();
    servers(&mut watched, &["a:2"]).await;
    publish("..3", "a:3");
    servers(&mut watched, &["a:3"]).await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_that_is_a_link_and_a_file_elsewhere_are_followed() {
    use std::os::unix::fs::symlink;
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    elsewhere.replace("target", "a:1");
    fs::create_dir(folder.at("release-1")).unwrap();
    symlink(elsewhere.at("target"), folder.at("release-1/servers")).unwrap();
    symlink("release-1", folder.at("current")).unwrap();
    let mut watched = start(&folder.at("current/servers"));
    servers(&mut watched, &["a:1"]).await;
    elsewhere.replace("target", "a:2");
    servers(&mut watched, &["a:2"]).await;
    fs::create_dir(folder.at("release-2")).unwrap();
    fs::write(folder.at("release-2/servers"), "a:3").unwrap();
    symlink("release-2", folder.at("next")).unwrap();
    fs::rename(folder.at("next"), folder.at("current")).unwrap();
    servers(&mut watched, &["a:3"]).await;
}

#[tokio::test]
async fn a_folder_that_is_swapped_for_another_is_noticed() {
    let folder = Folder::new();
    fs::create_dir(folder.at("conf")).unwrap();
    fs::write(folder.at("conf/servers"), "a:1").unwrap();
    let mut watched = start(&folder.at("conf/servers"));
    servers(&mut watched, &["a:1"]).await;
    fs::create_dir(folder.at("other")).unwrap();
    fs::write(folder.at("other/servers"), "a:2").unwrap();
    fs::rename(folder.at("conf"), folder.at("old")).unwrap();
    fs::rename(folder.at("other"), folder.at("conf")).unwrap();
    servers(&mut watched, &["a:2"]).await;
}

#[tokio::test]
async fn garbage_keeps_the_servers_and_says_what_is_wrong() {
    let folder = Folder::new();
    folder.replace("servers", "a:1");
    let mut watched = start(&folder.at("servers"));
    servers(&mut watched, &["a:1"]).await;
    let noise: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    folder.replace("servers", noise);
    let said = error(&mut watched).await;
    assert!(said.starts_with("no line has a server: line 1: ") && said.len() <= 1000, "{said}");
    assert_eq!(addresses(&watched.set().unwrap()), ["a:1"]);
    folder.replace("servers", b"a:1\n\xff\xfe\nb:2 caf\xe9\nc:3");
    servers(&mut watched, &["a:1", "c:3"]).await;
}

#[tokio::test]
async fn a_folder_and_a_huge_file_are_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.at("folder")).unwrap();
    let said = error(&mut start(&folder.at("folder"))).await;
    assert!(said.ends_with("it is a folder"), "{said}");
    fs::File::create(folder.at("huge")).unwrap().set_len(1 << 40).unwrap();
    let said = error(&mut start(&folder.at("huge"))).await;
    assert!(said.ends_with("it has more than 16777216 bytes"), "{said}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_named_pipe_without_a_writer_and_a_device_hold_nothing_up() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.at("pipe")).status().unwrap();
    assert!(made.success());
    for path in [folder.at("pipe"), "/dev/zero".into()] {
        let said = error(&mut start(&path)).await;
        assert!(said.ends_with("it is not a regular file"), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_the_kernels_word_the_file_is_looked_at_every_second() {
    let folder = Folder::new();
    folder.replace("servers", "a:1");
    let notices = || Err(io::Error::other("too many"));
    let file = File { text: "servers".into(), path: folder.at("servers"), notices };
    let (mut watched, work) = watch_with(Box::new(file), WatchOptions::default());
    tokio::spawn(work);
    servers(&mut watched, &["a:1"]).await;
    let begun = tokio::time::Instant::now();
    folder.replace("servers", "a:22");
    servers(&mut watched, &["a:22"]).await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    fs::remove_file(folder.at("servers")).unwrap();
    assert!(error(&mut watched).await.contains("No such file"));
}

#[tokio::test]
async fn a_relative_path_begins_where_the_source_was_opened() {
    let source = Schemes::builtin().open("file://no/such/file").unwrap();
    assert_eq!(source.name(), "file://no/such/file");
    let (mut watched, work) = crate::watch(source);
    tokio::spawn(work);
    let said = error(&mut watched).await;
    let path = std::env::current_dir().unwrap().join("no/such/file");
    assert!(said.contains(&*path.to_string_lossy()), "{said}");
    for url in ["file://", "file://a\0b"] {
        assert!(Schemes::builtin().open(url).is_err(), "{url}");
    }
}

#[test]
fn a_circle_of_links_ends() {
    #[cfg(unix)]
    {
        let folder = Folder::new();
        std::os::unix::fs::symlink("b", folder.at("a")).unwrap();
        std::os::unix::fs::symlink("a", folder.at("b")).unwrap();
        let found = places::places(&folder.at("a/servers"));
        let names: Vec<_> = found[&fs::canonicalize(&folder.0).unwrap()].iter().collect();
        assert_eq!(names, ["a", "b"]);
    }
}
