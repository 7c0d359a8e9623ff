//! `list://10.0.0.1:8000,10.0.0.2:8000 2`: servers written into the url itself, separated by commas.

use crate::{Scheme, Server, Source, Updates, Watching, lines};
use polywire_call::ConfigError;

/// `list://A,B`: servers that the address itself names.
pub const SCHEME: Scheme = Scheme { name: "list", open };

struct List {
    text: String,
    servers: Vec<Server>,
}

fn open(rest: &str) -> Result<Box<dyn Source>, ConfigError> {
    Ok(Box::new(List { text: rest.to_owned(), servers: items("list", rest)? }))
}

/// The servers of a list. An invalid item is an error, unlike an invalid line of a file, because it was
/// written by the user of the channel.
pub(super) fn items(scheme: &str, rest: &str) -> Result<Vec<Server>, ConfigError> {
    let url = || format!("{scheme}://{rest}");
    let mut servers: Vec<Server> = Vec::new();
    for item in rest.split(',') {
        let wrong =
            |why: String| ConfigError::new("address", format!("{:?}: {why}", url())).with_value(url());
        let Some(server) = lines::parse(item).map_err(wrong)? else { continue };
        if servers.contains(&server) {
            return Err(wrong(format!("{:?} is in it twice", item.trim_ascii())));
        }
        servers.push(server);
    }
    if servers.is_empty() {
        let text = format!("{:?} has no server: write {scheme}://host:port,host:port", url());
        return Err(ConfigError::new("address", text).with_value(url()));
    }
    Ok(servers)
}

impl Source for List {
    fn name(&self) -> String {
        format!("list://{}", self.text)
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            updates.set(self.servers.clone());
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Schemes, watch};
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn the_servers_of_a_list_are_there_at_once() {
        let source = Schemes::builtin().open("list://b:2 7, a:1,,b:2 # comment,").unwrap();
        let (mut watched, work) = watch(source);
        tokio::spawn(work);
        let set = watched.first(Duration::from_secs(1)).await.unwrap();
        let found: Vec<_> = set.iter().map(|server| (&*server.address, &*server.tag)).collect();
        assert_eq!(found, [("a:1", ""), ("b:2", ""), ("b:2", "7")]);
    }

    #[test]
    fn wrong_lists_are_refused_when_they_are_opened() {
        for (url, why) in [
            ("list://", "has no server: write list://host:port,host:port"),
            ("list://,#a:1", "has no server"),
            ("list://a:1,b", "\"b\" has no port"),
            ("dlist://a:1,b:0", "\"b:0\" has port 0"),
            ("list://a:1 x,b:2, a:1 x", "\"a:1 x\" is in it twice"),
        ] {
            let Err(error) = Schemes::builtin().open(url) else { panic!("{url} was taken") };
            assert!(error.to_string().starts_with(&format!("{url:?}")), "{error}");
            assert!(error.to_string().contains(why), "{error}");
            assert_eq!((error.option(), error.value()), ("address", Some(url)));
        }
    }
}
