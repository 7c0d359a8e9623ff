//! Channels to registries of servers.

use polywire::Channel;

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
}
