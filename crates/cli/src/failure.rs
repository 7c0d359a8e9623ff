//! The reason why a command ended early, and its exit code.

use polywire::{ChannelError, ServerError, Status};
use std::{fmt, io, process::ExitCode};

/// The reason why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// Wrong use: exit code 2.
    Usage(String),
    /// Right use, but something failed: exit code 1.
    Failed(String),
    /// The reader of our output has closed it: a quiet end, exit code 0.
    Closed,
}

impl Failure {
    pub fn usage(what: impl Into<String>) -> Self {
        Failure::Usage(what.into())
    }
    pub fn failed(what: impl Into<String>) -> Self {
        Failure::Failed(what.into())
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage(_) => ExitCode::from(2),
            Failure::Failed(_) => ExitCode::FAILURE,
            Failure::Closed => ExitCode::SUCCESS,
        }
    }
}

/// Writes one line that helps a user.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(what) | Failure::Failed(what) => f.write_str(what),
            Failure::Closed => f.write_str("the output was closed"),
        }
    }
}

/// The error of a call, with the program's option in place of the library's.
pub fn of_call(status: &Status) -> String {
    status.to_string().replace("say Call::key(..)", "say --key NUMBER")
}

/// The error of a channel's or a server's options, with the program's feature beside the library's.
pub fn of_options(wrong: String) -> String {
    let needs = "of `polywire`";
    wrong.replace(needs, &format!("{needs}: build this program with `--features full`"))
}

/// An error of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(error.to_string()),
        }
    }
}

impl From<ChannelError> for Failure {
    fn from(error: ChannelError) -> Self {
        match error {
            ChannelError::Config(wrong) => Failure::Usage(of_options(wrong.to_string())),
            other => Failure::Failed(other.to_string()),
        }
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::Config(wrong) => Failure::Usage(of_options(wrong.to_string())),
            ServerError::Io(error) if error.kind() == io::ErrorKind::InvalidInput => {
                Failure::Usage(error.to_string())
            }
            other => Failure::Failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire::Channel;

    #[test]
    fn a_feature_of_the_library_is_one_of_the_program() {
        let left_out = "xds:// needs the feature `xds` of `polywire`".to_owned();
        assert_eq!(of_options(left_out.clone()), left_out + ": build this program with `--features full`");
        let wrong = Channel::builder("nowhere://x").build().err().expect("no such scheme");
        assert!(!Failure::from(wrong).to_string().contains("--features"));
    }
}
