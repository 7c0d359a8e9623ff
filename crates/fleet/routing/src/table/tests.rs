//! The route and the target of a call, and the tables that are refused.

use super::*;
use crate::{
    CertificateNames, ClusterTls, Fraction, HeaderMatch, HeaderTest, NameMatch, NameTest, Pattern,
    RetryPolicy,
};
use polywire_call::{Code, Metadata};
use std::time::Duration;

fn clusters(names: &[&str]) -> Vec<(String, Cluster)> {
    names.iter().map(|name| ((*name).to_owned(), Cluster::of([]))).collect()
}

fn table(routes: impl IntoIterator<Item = Route>, names: &[&str]) -> RouteTable {
    RouteTable::new(routes, clusters(names)).unwrap()
}

fn goes(table: &RouteTable, path: &str, fields: &[(&str, &str)]) -> String {
    let metadata: Metadata = fields.iter().copied().collect();
    let mut random = fastrand::Rng::with_seed(1);
    match table.find(&Head { path, metadata: &metadata }, &mut random) {
        Ok(found) => found.target.cluster.clone(),
        Err(why) => why.to_string(),
    }
}

#[test]
fn a_call_takes_the_first_route_that_it_matches() {
    let canary = Matcher::new(PathMatch::service("s")).header(HeaderMatch::exact("x", "1"));
    let routes = [
        Route::new(PathMatch::exact("/s/b"), "exact"),
        Route::new(canary, "header"),
        Route::new(PathMatch::Pattern(Pattern::new("/s/a+").unwrap()), "pattern"),
        Route::new(PathMatch::service("s"), "service"),
        Route::new(PathMatch::exact("/s/late"), "late"),
        Route::new(PathMatch::prefix("/no"), Action::Fail("not here".into())),
    ];
    let table = table(routes, &["exact", "header", "pattern", "service", "late"]);
    for (path, fields, expected) in [
        ("/s/b", &[("x", "1")][..], "exact"),
        ("/s/c", &[("x", "1")], "header"),
        ("/s/aa", &[], "pattern"),
        ("/s/late", &[], "service"),
        ("/s/c", &[], "service"),
        ("/nothing/here", &[], "not here"),
        ("/t/c", &[], "no route is for this call"),
        ("", &[], "no route is for this call"),
    ] {
        assert_eq!(goes(&table, path, fields), expected, "{path} {fields:?}");
    }
}

#[test]
fn calls_are_shared_out_by_weight() {
    let targets = [("a", 70), ("none", 0), ("b", 30)].map(|(name, weight)| Target::new(name).weight(weight));
    let table = table([Route::new(PathMatch::any(), targets)], &["a", "b", "none"]);
    let mut random = fastrand::Rng::with_seed(7);
    let metadata = Metadata::new();
    let mut counts = HashMap::new();
    for _ in 0..10_000 {
        let found = table.find(&Head { path: "/s/m", metadata: &metadata }, &mut random).unwrap();
        *counts.entry(found.target.cluster.as_str()).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert!((6800..7200).contains(&counts["a"]), "{counts:?}");
}

#[test]
fn a_target_without_weight_gets_nothing_wherever_it_stands() {
    for weights in [[0, 1, 0], [1, 0, 0], [0, 0, 1]] {
        let targets: Vec<_> = ["a", "b", "c"]
            .iter()
            .zip(weights)
            .map(|(name, weight)| Target::new(*name).weight(weight))
            .collect();
        let expected = targets.iter().find(|target| target.weight > 0).unwrap().cluster.clone();
        let table = table([Route::new(PathMatch::any(), targets)], &["a", "b", "c"]);
        assert_eq!(goes(&table, "/s/m", &[]), expected);
    }
}

#[test]
fn a_fraction_of_the_calls_takes_a_route_and_the_rest_the_next() {
    let some = Matcher::new(PathMatch::any()).fraction(Fraction::percent(25));
    let table = table([Route::new(some, "a"), Route::new(PathMatch::any(), "b")], &["a", "b"]);
    let (mut random, metadata) = (fastrand::Rng::with_seed(7), Metadata::new());
    let head = Head { path: "/s/m", metadata: &metadata };
    let a = (0..10_000).filter(|_| table.find(&head, &mut random).unwrap().target.cluster == "a").count();
    assert!((2300..2700).contains(&a), "{a}");
}

#[test]
fn tables_that_cannot_be_are_refused_with_the_reason() {
    let refusal = |routes: Vec<Route>, clusters: Vec<(String, Cluster)>| {
        RouteTable::new(routes, clusters).unwrap_err().to_string()
    };
    let any = |targets: Vec<Target>| vec![Route::new(PathMatch::any(), targets).name("main")];
    assert_eq!(
        refusal(any(vec![Target::new("b")]), clusters(&["a"])),
        "route main: there is no cluster \"b\""
    );
    assert!(refusal(any(vec![]), clusters(&["a"])).contains("no cluster of it has a weight above 0"));
    assert!(refusal(any(vec![Target::new("a").weight(0)]), clusters(&["a"])).contains("above 0"));
    let much = vec![Target::new("a").weight(u32::MAX), Target::new("a").weight(1)];
    assert!(refusal(any(much), clusters(&["a"])).contains("above 4294967295"));
    assert!(refusal(vec![], clusters(&["a", "a"])).contains("\"a\" is there twice"));
    let odd = vec![("a", Cluster::of([]).balancer("rrr"))];
    let said = RouteTable::new([], odd).unwrap_err().to_string();
    assert!(said.starts_with("cluster \"a\": balancer \"rrr\": no such balancer"), "{said}");
    let route = Route::new(PathMatch::any(), "a");
    for retry in
        [RetryPolicy::new([Code::Unavailable]).attempts(0), RetryPolicy::new([]).multiplier(f64::NAN)]
    {
        assert!(!refusal(vec![route.clone().retry(retry)], clusters(&["a"])).is_empty());
    }
    let pause = RetryPolicy::new([Code::Unavailable]).first_pause(Duration::ZERO);
    assert!(refusal(vec![route.retry(pause)], clusters(&["a"])).contains("are above 0"));
}

#[test]
fn the_largest_sum_of_weights_is_shared_out() {
    let targets = [Target::new("a").weight(u32::MAX - 1), Target::new("b").weight(1)];
    let table = table([Route::new(PathMatch::any(), targets)], &["a", "b"]);
    assert_eq!(goes(&table, "/s/m", &[]), "a");
}

#[test]
fn a_table_beyond_its_bounds_is_refused() {
    let route = Route::new(PathMatch::any(), "a");
    let said = RouteTable::new(std::iter::repeat(route.clone()), clusters(&["a"])).unwrap_err().to_string();
    assert!(said.contains("at most 100000 routes"), "{said}");
    let many = (0..=MAX_CLUSTERS).map(|n| (n.to_string(), Cluster::of([])));
    assert!(RouteTable::new([], many).unwrap_err().to_string().contains("at most 10000 clusters"));
    let pattern = HeaderMatch::new("x", HeaderTest::Pattern(Pattern::new("a").unwrap()));
    let route = Route::new(Matcher::new(PathMatch::any()).header(pattern), "a");
    let said = RouteTable::new(vec![route; MAX_PATTERNS + 1], clusters(&["a"])).unwrap_err().to_string();
    assert!(said.contains("at most 1000 regular expressions"), "{said}");
    let test = NameMatch::new(NameTest::Pattern(Pattern::new("a").unwrap()));
    let tls = |names| ClusterTls::new().names(CertificateNames::AnyOf(vec![test.clone(); names]));
    let many = [
        ("a", Cluster::of([]).tls(tls(MAX_PATTERNS / 2))),
        ("b", Cluster::of([]).part("p", tls(MAX_PATTERNS / 2 + 1))),
    ];
    let said =
        RouteTable::new([], many.map(|(name, cluster)| (name.to_owned(), cluster))).unwrap_err().to_string();
    assert!(said.contains("at most 1000 regular expressions"), "{said}");
}

#[test]
fn the_last_of_many_routes_is_found_without_looking_at_the_others() {
    let routes = (0..20_000).map(|n| {
        let path = if n % 2 == 0 {
            PathMatch::exact(format!("/s/m{n}"))
        } else {
            PathMatch::service(&format!("s{n}"))
        };
        Route::new(path, "a")
    });
    let last = Route::new(PathMatch::any(), "b");
    let table = table(routes.chain([last]), &["a", "b"]);
    assert_eq!(goes(&table, "/s/m19998", &[]), "a");
    assert_eq!(goes(&table, "/s19999/m", &[]), "a");
    assert_eq!(goes(&table, "/s/other", &[]), "b");
    let candidates = table.0.index.candidates("/s19999/m").count();
    assert_eq!(candidates, 2);
}
