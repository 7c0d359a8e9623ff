//! Files that change.

use crate::{AuditLogger, AuditRecord, Policy};
use polywire_server::TestContext;
use std::{fs, path::PathBuf, sync::mpsc, time::Duration};

/// A folder that is removed at the end of its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("polywire-authorization-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("policy.json")
    }

    /// As programs should: the file is there as a whole, or not at all.
    fn write(&self, text: impl AsRef<[u8]>) {
        fs::write(self.0.join("new"), text).unwrap();
        fs::rename(self.0.join("new"), self.file()).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // what stays is in a folder for what may stay
    }
}

const NEVER: Duration = Duration::from_secs(86_400 * 365);

fn policy(name: &str, path: &str) -> String {
    format!(r#"{{"name": "{name}", "allow_rules": [{{"name": "r", "request": {{"paths": ["{path}"]}}}}]}}"#)
}

fn allows(policy: &Policy, method: &'static str) -> bool {
    policy.check(&TestContext::new().method("S", method).build()).is_ok()
}

/// grpc-go, `TestNewFileWatcher`.
#[test]
fn the_first_file_must_be_a_policy_and_the_interval_some_time() {
    let folder = Folder::new("first");
    let start = |interval| Policy::watch(folder.file(), interval).map(|policy| policy.name());
    assert!(start(NEVER).unwrap_err().to_string().contains("policy.json: No such file"));
    folder.write("{}");
    let said = start(NEVER).unwrap_err().to_string();
    assert!(said.ends_with("policy.json: the policy has no \"name\""), "{said}");
    folder.write(policy("authz", "*"));
    assert!(start(Duration::ZERO).unwrap_err().to_string().contains("is zero"));
    assert_eq!(start(NEVER).unwrap(), "authz");
}

#[test]
fn the_last_good_policy_stays_whatever_becomes_of_the_file() {
    let folder = Folder::new("good");
    let (tell, told) = mpsc::channel();
    folder.write(policy("one", "/S/A"));
    let builder =
        Policy::builder().on_reload(move |outcome| tell.send(outcome.map_err(ToString::to_string)).unwrap());
    let watched = builder.watch(folder.file(), NEVER).unwrap();
    assert!(!watched.reload().unwrap(), "it is the same");
    let huge = vec![b' '; 2 << 20];
    for broken in
        [&b"{}"[..], b"", b"\xff\xfe", policy("two", "/S/B").replace("paths", "path").as_bytes(), &huge]
    {
        folder.write(broken);
        for _ in 0..2 {
            watched.reload().unwrap_err();
            assert_eq!(
                (watched.name(), allows(&watched, "A"), allows(&watched, "B")),
                ("one".to_owned(), true, false)
            );
        }
        assert!(told.try_recv().unwrap().is_err());
        assert!(told.try_recv().is_err(), "a reason is told once");
    }
    fs::remove_file(folder.file()).unwrap();
    assert!(watched.reload().unwrap_err().to_string().contains("No such file"));
    assert!(allows(&watched, "A") && told.try_recv().unwrap().is_err());

    folder.write(policy("two", "/S/B"));
    assert!(watched.reload().unwrap());
    assert_eq!(
        (watched.name(), allows(&watched, "A"), allows(&watched, "B")),
        ("two".to_owned(), false, true)
    );
    assert_eq!(told.try_recv(), Ok(Ok(())));
    // What comes back and is in use already is no change; the same failure after it is a new one.
    folder.write("{}");
    watched.reload().unwrap_err();
    folder.write(policy("two", "/S/B"));
    assert!(!watched.reload().unwrap());
    folder.write("{}");
    watched.reload().unwrap_err();
    assert_eq!(told.try_iter().filter(Result::is_err).count(), 2);
}

/// grpc-go, `TestOnPolicyUpdate`.
#[test]
fn a_thread_reads_the_file_until_the_policy_is_dropped() {
    let folder = Folder::new("thread");
    folder.write(policy("one", "*"));
    let (tell, told) = mpsc::channel();
    let builder = Policy::builder().on_reload(move |outcome| tell.send(outcome.is_ok()).unwrap());
    let watched = builder.watch(folder.file(), Duration::from_millis(1)).unwrap();
    folder.write(policy("two", "*"));
    assert_eq!(told.recv(), Ok(true));
    assert_eq!(watched.name(), "two");
    folder.write("{");
    assert_eq!(told.recv(), Ok(false));
    assert_eq!(watched.name(), "two");
    drop(watched);
    assert!(told.recv().is_err(), "nobody is left who could tell");
}

/// Panics at its end.
struct Fragile;
impl AuditLogger for Fragile {
    fn log(&self, _: &AuditRecord<'_>) {}
}
impl Drop for Fragile {
    fn drop(&mut self) {
        panic!("the logger ends");
    }
}

#[test]
fn the_thread_goes_on_when_code_of_the_application_panics() {
    let folder = Folder::new("panics");
    let logging = |name: &str, logger: &str| {
        let audit = format!(r#""audit_logging_options": {{"audit_loggers": [{{"name": "{logger}"}}]}}"#);
        policy(name, "*").replacen('{', &format!("{{{audit}, "), 1)
    };
    folder.write(policy("one", "*"));
    let (tell, told) = mpsc::channel();
    let watched = Policy::builder()
        .logger("unmade", |_| -> Result<Fragile, String> { panic!("the logger is not made") })
        .logger("fragile", |_| Ok(Fragile))
        .on_reload(move |outcome| {
            tell.send(outcome.map_err(ToString::to_string)).unwrap();
            panic!("on_reload ends");
        })
        .watch(folder.file(), Duration::from_millis(1))
        .unwrap();
    // A thread that has ended tells nothing.
    let told = || told.recv_timeout(Duration::from_secs(60)).expect("the thread goes on");
    folder.write(logging("two", "unmade"));
    let said = told().unwrap_err();
    assert!(said.ends_with("what makes an audit logger has panicked: the logger is not made"), "{said}");
    assert_eq!(watched.name(), "one");
    for name in ["three", "four", "five"] {
        folder.write(logging(name, "fragile"));
        assert_eq!(told(), Ok(()), "{name}");
        assert_eq!(watched.name(), name);
    }
    // Of the last of them nobody is left when the policy ends.
    folder.write(policy("six", "*"));
    assert_eq!(told(), Ok(()));
}
