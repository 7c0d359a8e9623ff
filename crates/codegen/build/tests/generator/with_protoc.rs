//! What is generated where `protoc` reads the files: the same code. The descriptors are not compared, since
//! those of `google/protobuf/descriptor.proto` are of the version of `protoc`.

use super::{
    compare::{files, generated},
    samples,
};
use polywire_build::Config;
use std::{env, fs, path::Path};

#[test]
fn generated_code_is_that_of_the_parser() {
    for sample in [samples::REST, samples::MCPACK, samples::GBK] {
        let by_parser = files(&Path::new(polywire_samples::FOLDER).join(sample.name).join("polywire"));
        let mut made = generated(&sample).into_iter().peekable();
        assert!(made.peek().is_some());
        for (name, code) in made.filter(|(name, _)| name.extension().is_some_and(|ending| ending == "rs")) {
            assert!(by_parser.get(&name) == Some(&code), "{} of {}", name.display(), sample.name);
        }
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with_protoc");
    fs::create_dir_all(&folder).unwrap();
    let compile = |file: &Path| {
        let failed = Config::new().include(&folder).out_dir(folder.join("out")).compile(&[file]);
        failed.unwrap_err().to_string()
    };
    let wrong = folder.join("wrong.proto");
    fs::write(&wrong, "syntax = \"proto3\";\nmessage M { Missing m = 1; }\n").unwrap();
    assert_eq!(compile(&wrong), "wrong.proto:2:13: \"Missing\" is not defined.");
    let text = compile(Path::new("none.proto"));
    assert!(text.starts_with("none.proto: no such file in "), "{text}");
}

/// Google's files of this crate are for those who have none: those of the user come first.
#[test]
fn files_of_google_that_the_user_has_come_first() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("with_protoc_google");
    fs::create_dir_all(folder.join("google/api")).unwrap();
    fs::write(folder.join("google/api/annotations.proto"), "syntax = \"proto3\";\nmessage Mine {}\n")
        .unwrap();
    let file = folder.join("a.proto");
    let source =
        "syntax = \"proto3\";\nimport \"google/api/annotations.proto\";\nmessage A { Mine mine = 1; }\n";
    fs::write(&file, source).unwrap();
    Config::new().include(&folder).out_dir(folder.join("out")).compile(&[file]).unwrap();
}
