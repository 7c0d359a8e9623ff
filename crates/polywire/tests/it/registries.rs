//! Channels to registries of servers.

use polywire::{Channel, Resilience};

/// Whether a channel to the url is made, or which feature is asked for.
fn is_known(url: &str, feature: &str, is_on: bool) {
    let made = Channel::builder(url).build().map(drop);
    match made {
        Ok(()) => assert!(is_on, "{url} was taken"),
        Err(error) => {
            let asks = format!("needs the feature `{feature}` of `polywire`");
            assert!(!is_on && error.to_string().contains(&asks), "{url}: {error}");
        }
    }
}

#[tokio::test]
async fn a_registry_whose_feature_is_off_asks_for_it() {
    is_known("consul://echo", "consul", cfg!(feature = "consul"));
    is_known("etcd://127.0.0.1:1/services/echo", "etcd", cfg!(feature = "etcd"));
    is_known("k8s://shop/echo", "k8s", cfg!(feature = "k8s"));
    is_known("nacos://serviceName=echo", "nacos", cfg!(feature = "nacos"));
    is_known("remotefile://127.0.0.1:1/echo", "remotefile", cfg!(feature = "remotefile"));
    is_known("zookeeper://127.0.0.1:1/services/echo", "zookeeper", cfg!(feature = "zookeeper"));
}

#[cfg(not(feature = "xds"))]
#[test]
fn xds_without_its_feature_asks_for_it() {
    is_known("xds:///echo", "xds", false);
    let error = Channel::builder("xds:///echo")
        .resilience(Resilience::default().balancer("p2c"))
        .build()
        .map(drop)
        .unwrap_err();
    assert!(error.to_string().contains("needs the feature `xds` of `polywire`"), "{error}");
}

#[test]
fn a_misspelt_url_is_not_taken_for_the_address_of_one_server() {
    for (url, hint) in
        [("fil:///tmp/servers", "did you mean file://?"), ("ipv4://10.0.0.1:80", "known are list://")]
    {
        let error = Channel::builder(url)
            .resilience(Resilience::default().balancer("p2c"))
            .build()
            .map(drop)
            .unwrap_err()
            .to_string();
        assert!(error.contains(hint) && !error.contains("several servers"), "{url}: {error}");
    }
    let error = Channel::builder("10.0.0.1:80")
        .resilience(Resilience::default().balancer("p2c"))
        .build()
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(error.contains("write a naming url, such as list://10.0.0.1:80"), "{error}");
}
