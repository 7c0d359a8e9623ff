//! Mistakes in the use of generated code do not compile, and the compiler says what to do.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The library of this name that was built most recently for this test.
fn library(directory: &Path, name: &str) -> PathBuf {
    let built = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    });
    built.max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap()).expect("built for this test")
}

/// The compiler's output for a program with the package `talk` and this text.
fn complaint(test: &str, text: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("misuse");
    fs::create_dir_all(&directory).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden_protobuf/talk.rs");
    let source = format!(
        "#![allow(unused)]\nmod talk {{ include!({golden:?}); }}\n\
         use polywire::*; use talk::{{Line, Talk, TalkClient}}; type Result<T> = std::result::Result<T, Status>;\n{text}\nfn main() {{}}\n"
    );
    let path = directory.join(format!("{test}.rs"));
    fs::write(&path, source).unwrap();
    let deps = env::current_exe().unwrap().parent().unwrap().to_owned();
    let output = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
        .args(["--edition=2024", "--emit=metadata", "--color=never", "-L"])
        .arg(format!("dependency={}", deps.display()))
        .arg("--extern")
        .arg(format!("polywire={}", library(&deps, "polywire").display()))
        .arg("--extern")
        .arg(format!("polywire_build={}", library(&deps, "polywire_build").display()))
        .arg("--out-dir")
        .arg(&directory)
        .arg(&path)
        .env("POLYWIRE_PACKAGES", "`talk`")
        .env_remove("OUT_DIR")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{test} compiles");
    said
}

/// An implementation of `Talk` with the given methods, or ones that do nothing.
fn implementing(count: &str, chat: &str) -> String {
    format!(
        "struct Room; impl Talk for Room {{
            async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>> {{ Ok(request.into()) }}
            async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>> {{ Ok(Line::default().into()) }}
            {count}
            {chat}
        }}"
    )
}

const COUNT: &str = "async fn count(&self, _: &Context, _: Line)
    -> Result<impl Stream<Item = Result<Line>>> { Ok(stream(1).1) }";
const CHAT: &str = "async fn chat(&self, _: &Context, incoming: Streaming<Line>)
    -> Result<impl Stream<Item = Result<Line>>> { Ok(incoming) }";

#[track_caller]
fn says(said: &str, words: &[&str]) {
    for word in words {
        assert!(said.contains(word), "{word:?} is not said:\n{said}");
    }
}

#[test]
fn a_service_without_a_method_is_told_which() {
    says(&complaint("missing", &implementing(COUNT, "")), &["missing: `chat`"]);
}

#[test]
fn what_is_no_service_is_told_what_to_write() {
    let said =
        complaint("no_service", "struct Room; fn serve() -> Service { <Room as Talk>::into_service(Room) }");
    says(&said, &["`Room` does not implement the service `talk.Talk`", "`say`, `count`, `sum`, `chat`"]);
}

#[test]
fn a_stream_of_bare_messages_is_told_its_item() {
    let count = "async fn count(&self, _: &Context, _: Line)
        -> Result<impl Stream<Item = Line>> { let (_, mut lines) = stream::<Line>(1); Ok(Bare) }";
    let bare = "struct Bare; impl Stream for Bare { type Item = Line;
        fn poll_next(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Option<Line>> { todo!() } }";
    let said = complaint("bare", &(implementing(count, CHAT) + bare));
    says(&said, &["type mismatch", "Result<Line, Status>"]);
}

#[test]
fn a_handler_that_cannot_move_between_threads_is_told_by_what() {
    let chat = "async fn chat(&self, _: &Context, mut incoming: Streaming<Line>)
        -> Result<impl Stream<Item = Result<Line>>> {
            let shared = std::rc::Rc::new(1); incoming.next().await; drop(shared); Ok(incoming) }";
    says(
        &complaint("not_send", &implementing(COUNT, chat)),
        &["cannot be sent between threads safely", "Rc<i32>"],
    );
}

#[test]
fn a_wrong_message_is_told_which_is_expected() {
    let said = complaint(
        "message",
        "async fn call(talk: TalkClient) { let mut chat = talk.chat().await.unwrap(); chat.send(\"hi\").await; }",
    );
    says(&said, &["expected `Line`, found `&str`"]);
}

#[test]
fn a_call_that_is_not_awaited_is_a_warning() {
    let said = complaint("unused", "#[deny(unused_must_use)] fn call(talk: TalkClient) { talk.chat(); }");
    says(&said, &["a call is opened when it is awaited"]);
}

#[test]
fn a_package_that_build_rs_does_not_make_is_told_which_it_makes() {
    let said = complaint("include", "polywire::include!(\"tolk\");");
    says(&said, &["error: build.rs makes no package `tolk`; it makes `talk`"]);
}

#[test]
fn a_program_without_build_rs_is_told_so() {
    says(&complaint("no_build", "polywire::include!();"), &["there is no build.rs"]);
}

#[cfg(not(feature = "prost"))]
#[test]
fn an_option_without_its_feature_is_told_the_feature() {
    let said = complaint("prost", "fn options() { polywire_build::Config::new().prost(true); }");
    says(&said, &["`Config::prost` needs the feature `prost` of `polywire-build`"]);
}
