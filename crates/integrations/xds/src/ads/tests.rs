use super::*;
use crate::{
    bootstrap::Credentials,
    messages::envoy::{
        config::{cluster::v3 as cluster, core::v3 as core},
        service::discovery::v3::Resource as Wrapped,
    },
    resources::{Resource, cluster::Discovery},
};
use polywire_formats::{Message, wkt::Any};

const ZERO: Duration = Duration::ZERO;

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn plane(ignores_deletion: bool) -> Ads {
    let credentials = Credentials::Insecure;
    let server = ControlPlane { uri: "xds.example:1".to_owned(), credentials, ignores_deletion };
    Ads::new(Arc::new(server), Arc::default())
}

/// A client with a stream that has requested these clusters.
fn asking(names: &[&str]) -> Ads {
    let mut ads = plane(false);
    ads.names(Kind::Cluster, &set(names));
    assert!(ads.opens(ZERO) && !ads.opens(ZERO));
    ads.opened(ZERO);
    let (request, first) = ads.request(ZERO).unwrap();
    assert!(first && request.version_info.is_empty() && request.response_nonce.is_empty());
    assert_eq!(request.resource_names, names);
    ads
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A cluster of the endpoints `service`.
fn cluster(name: &str, service: &str) -> Any {
    use cluster::cluster::{ClusterDiscoveryType, DiscoveryType, EdsClusterConfig};
    let source = core::ConfigSource {
        config_source_specifier: Some(core::config_source::ConfigSourceSpecifier::Ads(Box::default())),
    };
    let eds = EdsClusterConfig { eds_config: source.into(), service_name: service.to_owned() };
    packed(&cluster::Cluster {
        name: name.to_owned(),
        cluster_discovery_type: Some(ClusterDiscoveryType::Type(DiscoveryType::EDS.into())),
        eds_cluster_config: eds.into(),
        ..Default::default()
    })
}

/// A resource that is refused.
fn bad(name: &str) -> Any {
    packed(&cluster::Cluster { name: name.to_owned(), ..Default::default() })
}

fn packed(cluster: &cluster::Cluster) -> Any {
    Any { type_url: Kind::Cluster.type_url().to_owned(), value: cluster.to_wire().unwrap().into() }
}

fn response(version: &str, nonce: &str, resources: Vec<Any>) -> DiscoveryResponse {
    let (version_info, nonce) = (version.to_owned(), nonce.to_owned());
    DiscoveryResponse { version_info, nonce, resources, type_url: Kind::Cluster.type_url().to_owned() }
}

/// The next written request: version, nonce, names, and the refusal.
fn written(ads: &mut Ads, now: Duration) -> Option<(String, String, Vec<String>, String)> {
    let (request, _) = ads.request(now)?;
    assert_eq!(request.type_url, Kind::Cluster.type_url());
    let refusal = request.error_detail.into_option().map_or(String::new(), |detail| detail.message);
    Some((request.version_info, request.response_nonce, request.resource_names, refusal))
}

fn line(
    version: &str,
    nonce: &str,
    names: &[&str],
    refusal: &str,
) -> Option<(String, String, Vec<String>, String)> {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Some((version.to_owned(), nonce.to_owned(), names, refusal.to_owned()))
}

/// `service` of a known cluster; otherwise the reason why there is none, or `...`.
fn found(ads: &Ads, name: &str) -> String {
    match ads.found(Kind::Cluster, name) {
        Found::Waiting => "...".to_owned(),
        Found::None(why) => why,
        Found::Good(Resource::Cluster(cluster)) => match &cluster.discovery {
            Discovery::Eds(service) => service.clone(),
            other => panic!("{other:?}"),
        },
        Found::Good(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_response_is_accepted_with_its_version_and_nonce() {
    let mut ads = asking(&["a", "b"]);
    let changes = ads.received(response("v1", "n1", vec![cluster("a", "s1"), cluster("other", "s")]), ZERO);
    assert_eq!(changes, Changes { changed: true, refused: None });
    assert_eq!(written(&mut ads, ZERO), line("v1", "n1", &["a", "b"], ""));
    assert_eq!(
        (written(&mut ads, ZERO), found(&ads, "a"), found(&ads, "b")),
        (None, "s1".into(), "...".into())
    );
    let same = ads.received(response("v2", "n2", vec![cluster("a", "s1")]), ZERO);
    assert!(!same.changed, "a new version of the same");
    assert_eq!(written(&mut ads, ZERO), line("v2", "n2", &["a", "b"], ""));
}

#[test]
fn a_bad_resource_is_refused_its_good_neighbours_are_taken_and_the_last_good_one_stays() {
    let mut ads = asking(&["a", "b"]);
    ads.received(response("v1", "n1", vec![cluster("a", "s1"), cluster("b", "s1")]), ZERO);
    written(&mut ads, ZERO);
    let changes = ads.received(response("v2", "n2", vec![bad("a"), cluster("b", "s2")]), ZERO);
    assert!(changes.changed && changes.refused.is_some());
    let text = "Cluster: resource \"a\": its type is STATIC, which is not supported";
    assert_eq!(
        written(&mut ads, ZERO),
        line("v1", "n2", &["a", "b"], text),
        "the old version, the new nonce"
    );
    assert_eq!((found(&ads, "a"), found(&ads, "b")), ("s1".into(), "s2".into()));
    let shown: Vec<_> = ads.entries().map(|(_, _, entry)| entry.shown()).collect();
    let Shown::Nacked { good: Some(("v1", ..)), rejected } = shown[0] else { panic!("{shown:?}") };
    assert_eq!((rejected.version.as_str(), rejected.why.contains("STATIC")), ("v2", true));
    assert!(matches!(shown[1], Shown::Acked { version: "v2", .. }));
}

#[test]
fn the_same_refusal_again_is_held_back_longer_each_time_and_logged_once() {
    let mut ads = asking(&["a"]);
    let refuse = |ads: &mut Ads, nonce: &str, now| ads.received(response("v1", nonce, vec![bad("a")]), now);
    assert!(refuse(&mut ads, "n1", ZERO).refused.is_some());
    assert!(written(&mut ads, ZERO).is_some(), "the first one at once");
    let mut now = ZERO;
    for held in [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0] {
        assert_eq!(refuse(&mut ads, "n", now).refused, None);
        assert_eq!(written(&mut ads, now), None, "{held}");
        now += seconds(held);
        assert_eq!(ads.deadline(), Some(now));
        assert!(written(&mut ads, now).is_some(), "{held}");
    }
    refuse(&mut ads, "n", now);
    ads.names(Kind::Cluster, &set(&["a", "b"]));
    assert_eq!(written(&mut ads, now).unwrap().2, ["a", "b"], "new names do not wait");
    ads.received(response("v2", "n", vec![cluster("a", "s")]), now);
    written(&mut ads, now);
    assert!(refuse(&mut ads, "n", now).refused.is_some(), "after an acceptance it is news");
    assert!(written(&mut ads, now).is_some());
}

#[test]
fn only_bad_ones_are_an_error_and_a_name_that_cannot_be_read_is_one_of_the_response() {
    let mut ads = asking(&["a"]);
    let nameless = packed(&cluster::Cluster::default());
    let foreign = Any { type_url: "type.googleapis.com/x.Y".to_owned(), ..Any::default() };
    let broken = Any { value: vec![0xff; 3].into(), ..cluster("a", "s") };
    ads.received(response("v1", "n1", vec![nameless, foreign, broken, bad("a")]), ZERO);
    let text = "Cluster: a resource has no name; a resource has the type \"type.googleapis.com/x.Y\"; \
                a resource cannot be read; resource \"a\": its type is STATIC, which is not supported";
    assert_eq!(written(&mut ads, ZERO), line("", "n1", &["a"], text));
    assert!(found(&ads, "a").contains("it was refused: its type is STATIC"));
}

#[test]
fn wrapped_resources_are_unwrapped_and_unknown_types_are_not_answered() {
    let mut ads = asking(&["a"]);
    let wrapped = Wrapped { resource: cluster("a", "s1").into(), name: "a".to_owned() };
    let any = Any {
        type_url: "type.googleapis.com/envoy.service.discovery.v3.Resource".to_owned(),
        value: wrapped.to_wire().unwrap().into(),
    };
    let unknown =
        DiscoveryResponse { type_url: "type.googleapis.com/x.Y".to_owned(), ..response("v9", "n9", vec![]) };
    ads.received(unknown, ZERO);
    assert_eq!(written(&mut ads, ZERO), None);
    ads.received(response("v1", "n1", vec![any]), ZERO);
    assert_eq!(written(&mut ads, ZERO), line("v1", "n1", &["a"], ""));
    assert_eq!(found(&ads, "a"), "s1");
}

#[test]
fn what_is_not_heard_of_within_15_s_is_missing_and_may_still_come() {
    let mut ads = asking(&["a"]);
    assert_eq!(ads.deadline(), Some(seconds(15.0)));
    assert!(!ads.tick(seconds(14.9)));
    assert!(ads.tick(seconds(15.0)));
    assert_eq!(found(&ads, "a"), "the control plane does not have it");
    assert!(ads.received(response("v1", "n1", vec![cluster("a", "s1")]), seconds(20.0)).changed);
    assert_eq!(found(&ads, "a"), "s1");
    assert!(!ads.tick(seconds(100.0)));
}

#[test]
fn the_time_runs_only_while_there_is_a_stream_that_was_asked() {
    let mut ads = asking(&["a"]);
    ads.received(response("v1", "n1", vec![]), seconds(1.0));
    ads.ended("broken", seconds(2.0), 0.5);
    assert!(!ads.tick(seconds(100.0)), "no stream");
    assert!(ads.opens(seconds(100.0)));
    ads.opened(seconds(100.0));
    assert!(!ads.tick(seconds(200.0)), "nothing was written");
    ads.request(seconds(200.0)).unwrap();
    assert_eq!(ads.deadline(), Some(seconds(215.0)));
}

#[test]
fn a_cluster_that_is_no_longer_among_the_others_was_deleted() {
    for ignored in [false, true] {
        let mut ads = plane(ignored);
        ads.names(Kind::Cluster, &set(&["a", "b"]));
        assert!(ads.opens(ZERO));
        ads.opened(ZERO);
        ads.request(ZERO);
        ads.received(response("v1", "n1", vec![cluster("a", "s1")]), ZERO);
        let changes = ads.received(response("v2", "n2", vec![]), ZERO);
        let expected = if ignored { "s1" } else { "the control plane does not have it" };
        assert_eq!((changes.changed, found(&ads, "a")), (!ignored, expected.to_owned()));
        assert_eq!(found(&ads, "b"), "...", "one that had not come is waited for");
        let back = ads.received(response("v3", "n3", vec![cluster("a", "s1")]), ZERO);
        assert_eq!((back.changed, found(&ads, "a")), (!ignored, "s1".to_owned()));
    }
}

#[test]
fn endpoints_that_are_not_mentioned_are_unchanged() {
    let mut ads = plane(false);
    ads.names(Kind::Endpoints, &set(&["e"]));
    assert!(ads.opens(ZERO));
    ads.opened(ZERO);
    ads.request(ZERO);
    let assignment = crate::messages::envoy::config::endpoint::v3::ClusterLoadAssignment {
        cluster_name: "e".to_owned(),
        ..Default::default()
    };
    let any =
        Any { type_url: Kind::Endpoints.type_url().to_owned(), value: assignment.to_wire().unwrap().into() };
    let of = |resources| DiscoveryResponse {
        type_url: Kind::Endpoints.type_url().to_owned(),
        ..response("v", "n", resources)
    };
    assert!(ads.received(of(vec![any]), ZERO).changed);
    assert!(!ads.received(of(vec![]), ZERO).changed);
    assert!(matches!(ads.found(Kind::Endpoints, "e"), Found::Good(_)));
}

#[test]
fn names_are_told_as_they_change_and_the_last_one_leaves_an_empty_list() {
    let mut ads = asking(&["a"]);
    ads.names(Kind::Cluster, &set(&["a", "b"]));
    ads.names(Kind::Cluster, &set(&["a", "b"]));
    assert_eq!(written(&mut ads, ZERO), line("", "", &["a", "b"], ""));
    ads.received(response("v1", "n1", vec![cluster("a", "s")]), ZERO);
    ads.names(Kind::Cluster, &set(&[]));
    assert_eq!(written(&mut ads, ZERO), line("v1", "n1", &[], ""));
    let later = seconds(60.0);
    ads.ended("", later, 0.5);
    assert!(!ads.opens(later), "nothing is wanted");
    ads.names(Kind::Listener, &set(&["l"]));
    assert!(ads.opens(later));
    ads.opened(later);
    let (request, first) = ads.request(later).unwrap();
    assert_eq!(
        (request.type_url.as_str(), first),
        (Kind::Listener.type_url(), true),
        "no empty first request"
    );
    assert_eq!(ads.request(later), None);
}

#[test]
fn a_new_stream_has_the_old_versions_and_no_nonces() {
    let mut ads = asking(&["a"]);
    ads.received(response("v1", "n1", vec![cluster("a", "s1")]), ZERO);
    written(&mut ads, ZERO);
    ads.received(response("v2", "n2", vec![bad("a")]), ZERO);
    ads.ended("reset", seconds(9.0), 0.5);
    assert_eq!((ads.error(), found(&ads, "a")), (None, "s1".to_owned()));
    assert!(ads.opens(seconds(9.0)), "at once: it had answered");
    ads.opened(seconds(9.0));
    let (request, first) = ads.request(seconds(9.0)).unwrap();
    assert_eq!((request.version_info.as_str(), request.response_nonce.as_str(), first), ("v1", "", true));
    assert!(request.error_detail.is_unset());
}

#[test]
fn streams_that_end_without_a_response_are_opened_again_after_growing_pauses() {
    let mut ads = asking(&["a"]);
    let mut now = ZERO;
    for pause in [1.0, 1.6, 2.56, 4.096] {
        ads.ended("refused", now, 0.5);
        assert!(found(&ads, "a").contains("xds.example:1 cannot be reached: refused"));
        let until = now + seconds(pause);
        assert_eq!((ads.deadline(), ads.opens(until - Duration::from_nanos(1))), (Some(until), false));
        assert!(ads.opens(until));
        ads.opened(until);
        now = until;
    }
    assert_eq!(pause(1000, 0.0), seconds(96.0));
    ads.request(now);
    assert!(ads.received(response("v1", "n1", vec![]), now).changed, "it is waited for again");
    assert_eq!(found(&ads, "a"), "...");
}

#[test]
fn streams_that_end_soon_after_a_response_begin_ever_further_apart() {
    let mut ads = plane(false);
    ads.names(Kind::Cluster, &set(&["a"]));
    let answered = |ads: &mut Ads, began: Duration, ended: Duration| {
        assert!(ads.opens(began) && !ads.opens(began));
        ads.opened(began);
        ads.request(began).unwrap();
        ads.received(response("v1", "n1", vec![cluster("a", "s1")]), began);
        ads.ended("", ended, 0.5);
        assert_eq!(ads.error(), None, "it can be reached");
    };
    let round_trip = seconds(0.001);
    let mut now = ZERO;
    for pause in [1.0, 1.6, 2.56, 4.096] {
        answered(&mut ads, now, now + round_trip);
        let until = now + seconds(pause);
        assert_eq!((ads.deadline(), ads.opens(until - Duration::from_nanos(1))), (Some(until), false));
        now = until;
    }
    // One that lasts is followed by the next at once, and the pauses begin anew.
    answered(&mut ads, now, now + LASTS);
    now += LASTS;
    assert_eq!(ads.deadline(), Some(now));
    answered(&mut ads, now, now + round_trip);
    assert_eq!(ads.deadline(), Some(now + seconds(1.0)));
    now += seconds(1.0);
    // It counts from when the stream began.
    answered(&mut ads, now, now + seconds(5.0));
    assert_eq!(ads.deadline(), Some(now + seconds(5.0)));
}

#[test]
fn what_is_known_stays_while_the_control_plane_cannot_be_reached() {
    let mut ads = asking(&["a"]);
    ads.received(response("v1", "n1", vec![cluster("a", "s1")]), ZERO);
    for n in 0..5 {
        ads.ended("refused", seconds(f64::from(n) * 200.0), 0.5);
        ads.opens(seconds(f64::from(n) * 200.0 + 150.0));
        ads.opened(ZERO);
    }
    assert_eq!(found(&ads, "a"), "s1");
}

#[test]
fn a_stream_on_which_nothing_is_asked_for_any_more_is_not_due() {
    let mut ads = asking(&["a"]);
    ads.ended("refused", ZERO, 0.5);
    assert_eq!(ads.deadline(), Some(seconds(1.0)));
    ads.names(Kind::Cluster, &set(&[]));
    assert_eq!((ads.opens(seconds(9.0)), ads.deadline()), (false, None), "else its owner never sleeps");
    ads.names(Kind::Cluster, &set(&["b"]));
    assert!(ads.opens(seconds(9.0)));
}

#[test]
fn a_refusal_is_bounded_however_many_resources_are_bad() {
    let mut ads = asking(&["a"]);
    let many = (0..1000).map(|n| bad(&format!("{n}{}", "x".repeat(1000)))).collect();
    let refused = ads.received(response("v1", "n1", many), ZERO).refused.unwrap();
    assert!(refused.len() <= LONGEST_REFUSAL + 100, "{} bytes", refused.len());
    assert!(refused.starts_with("Cluster (98"), "{refused}");
    assert!(refused.contains("more are not listed): resource \"0xxx"), "{refused}");
}
