//! `list://10.0.0.1:8000,10.0.0.2:8000 2`: servers written into the url itself, separated by commas.

use crate::{Scheme, Server, Source, Updates, Watching, lines};
use polywire_call::ConfigError;

/// `list://`.
pub const SCHEME: Scheme = Scheme { name: "list", open };

struct List {
    text: String,
    servers: Vec<Server>,
}

fn open(rest: &str) -> Result<Box<dyn Source>, ConfigError> {
    let servers: Vec<_> = rest.split(',').filter_map(lines::parse).collect();
    Ok(Box::new(List { text: rest.to_owned(), servers }))
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
    async fn the_servers_of_a_list_are_there_at_once_each_once() {
        let source = Schemes::builtin().open("list://b:2 7, a:1,b:2 7,b:2").unwrap();
        let (mut watched, work) = watch(source);
        tokio::spawn(work);
        let set = watched.first(Duration::from_secs(1)).await.unwrap();
        let found: Vec<_> = set.iter().map(|server| (&*server.address, &*server.tag)).collect();
        assert_eq!(found, [("a:1", ""), ("b:2", ""), ("b:2", "7")]);
    }
}
