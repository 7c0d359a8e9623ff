//! Kubernetes: `k8s://[https://HOST:PORT/][NAMESPACE/]SERVICE[:PORT]`, the EndpointSlices of a service.
//!
//! `PORT` is the name or the number of one of the service's ports; without it, the first port of each slice
//! is used. The default namespace and API server are those of the pod: its service account has a token, which
//! is read again for each request since it is replaced every hour, and the certificate authority for the
//! server.
//!
//! Source: kubernetes.io, "API Concepts" (efficient detection of changes, bookmarks, 410 Gone),
//!         "EndpointSlices", "Accessing the Kubernetes API from a Pod".

mod slices;
mod source;

use crate::{dial::Dial, http::Http, url::Url};
use polywire_call::ConfigError;
use polywire_naming::{Scheme, Source};
use std::path::{Path, PathBuf};

/// See [`Kubernetes`].
pub const SCHEME: Scheme =
    Scheme { name: "k8s", open: |rest| Ok(Box::new(Kubernetes::open(rest)?) as Box<dyn Source>) };

/// The folder of the pod's service account.
const ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The ready endpoints of a service of Kubernetes.
#[derive(Debug)]
pub struct Kubernetes {
    http: Http,
    /// The namespace; `None`: that of the service account.
    namespace: Option<String>,
    service: String,
    /// The port's name or number.
    port: Option<String>,
    /// The folder of the service account: `token`, `namespace` and `ca.crt`.
    account: PathBuf,
    name: String,
}

impl Kubernetes {
    /// `rest`: the text after `k8s://`.
    ///
    /// # Errors
    /// The url is not of the form `[https://HOST:PORT/][NAMESPACE/]SERVICE[:PORT]`.
    pub fn open(rest: &str) -> Result<Kubernetes, ConfigError> {
        Self::open_with(rest, Path::new(ACCOUNT), None)
    }

    /// Like [`Kubernetes::open`], with the folder of another service account, and options for the channels.
    ///
    /// # Errors
    /// The errors of [`Kubernetes::open`], or an option is wrong.
    pub fn open_with(rest: &str, account: &Path, dial: Option<&Dial>) -> Result<Kubernetes, ConfigError> {
        let wrong = |why: &str| {
            let text =
                format!("k8s://{rest}: {why}: write k8s://[https://HOST:PORT/][NAMESPACE/]SERVICE[:PORT]");
            ConfigError::new("address", text).with_value(rest)
        };
        let is_written = rest.starts_with("https://") || rest.starts_with("http://");
        let (addresses, path) = if is_written {
            let url = Url::parse("k8s", rest, 443, None)?;
            (url.addresses, url.path)
        } else {
            (vec![format!("https://{}", server())], rest.to_owned())
        };
        let (namespace, service) = match path.split_once('/') {
            Some((namespace, service)) => (Some(namespace), service),
            None => (None, path.as_str()),
        };
        let (service, port) = match service.split_once(':') {
            Some((service, port)) => (service, Some(port)),
            None => (service, None),
        };
        // RFC 1123 labels, as Kubernetes has them: nothing that could be another path.
        let is_label = |text: &str| {
            (1..=63).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        if !is_label(service) || !namespace.is_none_or(is_label) || !port.is_none_or(is_label) {
            return Err(wrong("a name holds something else than small letters, digits and hyphens"));
        }
        let default = Dial::default();
        let certificates = account.join("ca.crt");
        let dial = match dial {
            Some(dial) => dial.clone(),
            // `http://` is for a proxy in the pod, such as `kubectl proxy`.
            None if certificates.exists() && !rest.starts_with("http://") => trusting(certificates),
            None => default,
        };
        Ok(Kubernetes {
            http: Http::new(&addresses, &dial)?,
            name: format!("k8s://{path}"),
            namespace: namespace.map(str::to_owned),
            service: service.to_owned(),
            port: port.map(str::to_owned),
            account: account.to_owned(),
        })
    }

    /// A file of the service account; a pod that has none has no token.
    async fn of_account(&self, file: &str) -> Option<String> {
        let text = tokio::fs::read_to_string(self.account.join(file)).await.ok()?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// The address of the API server, from the pod's environment.
fn server() -> String {
    let of = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    match (of("KUBERNETES_SERVICE_HOST"), of("KUBERNETES_SERVICE_PORT")) {
        (Some(host), port) => {
            let host = if host.contains(':') { format!("[{host}]") } else { host };
            format!("{host}:{}", port.as_deref().unwrap_or("443"))
        }
        (None, _) => "kubernetes.default.svc:443".to_owned(),
    }
}

/// Channels that trust the authority of the cluster.
fn trusting(certificates: PathBuf) -> Dial {
    Dial::new(move |builder| builder.tls(polywire_client::ClientTls::new().ca_file(&certificates)))
}
