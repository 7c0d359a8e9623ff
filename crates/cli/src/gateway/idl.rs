//! What the methods of a cluster call their parameter and their return value in an old IDL, by the file.

use super::{
    document::{Placed, Table},
    schemas::Source,
};
use polywire::gateway::{Cluster, are_plain_names};
use polywire_base::nearest;

/// The key `idl`.
pub struct Idl {
    all: Names,
    /// Those of methods that have others.
    methods: Vec<(Placed<String>, Names)>,
}

#[derive(Clone)]
struct Names {
    request: String,
    response: String,
}

impl Idl {
    pub fn read(cluster: &Table<'_>) -> Option<Idl> {
        let table = cluster.table("idl")?;
        let usual = Names { request: "req".to_owned(), response: "res".to_owned() };
        let all = Names::read(&table, usual);
        let of_method = |(name, own): (String, Table<'_>)| {
            let names = Names::read(&own, all.clone());
            own.finish();
            if !are_plain_names("_", &name) {
                let text = format!("{name:?} is no method: write Echo, without its service");
                table.wrong(own.at(), "methods", text);
                return None;
            }
            Some((Placed { value: name, at: own.at() }, names))
        };
        let methods = table.named("methods").into_iter().filter_map(of_method).collect();
        table.finish();
        Some(Idl { all, methods })
    }

    /// Checks that schemas in files have the methods.
    pub fn check(&self, cluster: &Table<'_>, source: Option<&Source>) {
        let Some(Source::Files(known)) = source else { return };
        let mut names: Vec<String> = Vec::new();
        known.visit(|method| names.push(method.method.to_owned()));
        for (Placed { value, at }, _) in
            self.methods.iter().filter(|(method, _)| !names.contains(&method.value))
        {
            let near = nearest(value, names.iter().map(|name| &**name));
            let advice = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
            cluster.wrong(*at, "idl.methods", format_args!("no method {value:?} in `schemas`{advice}"));
        }
    }

    pub fn add_to(&self, cluster: Cluster) -> Cluster {
        const CHECKED: &str = "`read` has checked them";
        let cluster = cluster.idl_names(&self.all.request, &self.all.response).expect(CHECKED);
        self.methods.iter().fold(cluster, |cluster, (method, Names { request, response })| {
            cluster.idl_names_of(&method.value, request, response).expect(CHECKED)
        })
    }
}

impl Names {
    /// Reads `request` and `response`; `usual`: what holds where nothing is said.
    fn read(table: &Table<'_>, usual: Names) -> Names {
        let name = |key: &'static str, usual: String| {
            let Some(Placed { value, at }) = table.text(key) else { return usual };
            let most = Cluster::LONGEST_NAME;
            if value.len() > most {
                table.wrong(at, key, format_args!("a name has at most {most} bytes"));
            }
            value
        };
        Names { request: name("request", usual.request), response: name("response", usual.response) }
    }
}
