//! The bootstrap: the control planes of a process, its identity towards them, and the paths of certificates.
//!
//! It is JSON in the form that all xDS clients of gRPC read: in the file that the variable
//! `GRPC_XDS_BOOTSTRAP` names, or else the text in `GRPC_XDS_BOOTSTRAP_CONFIG`. Unknown fields are ignored.
//!
//! Source: gRFC A27, "Bootstrap file"; A47 (authorities), A65 (tls), A29 (certificate providers), A53 (server
//!         features).

mod json;
mod names;
#[cfg(test)]
mod tests;

pub(crate) use names::{canonical, percent_encoded};

use crate::resources::shortened;
use json::Json;
use polywire_call::ConfigError;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

/// The environment variable that names the bootstrap file; wins over the one that holds the JSON itself.
const FILE: &str = "GRPC_XDS_BOOTSTRAP";
/// The environment variable that holds the JSON itself.
const TEXT: &str = "GRPC_XDS_BOOTSTRAP_CONFIG";
/// The maximum size of the file; a larger one is probably a mistake.
const LONGEST: u64 = 4 << 20;

/// The configuration with which a process finds its control planes.
#[derive(Clone, PartialEq, Debug)]
pub struct Bootstrap {
    /// The control planes, at least one, the preferred one first.
    pub(crate) servers: Vec<Arc<ControlPlane>>,
    pub(crate) node: Node,
    pub(crate) certificates: BTreeMap<String, Certificates>,
    pub(crate) authorities: BTreeMap<String, Authority>,
    /// The name of the listener of targets without an authority.
    pub(crate) template: String,
}

/// A server from which xDS resources are requested. Equal ones share a stream.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ControlPlane {
    pub uri: String,
    pub credentials: Credentials,
    /// A listener or a cluster that is no longer among the others stays in use. gRFC A53.
    pub ignores_deletion: bool,
}

/// The credentials for connecting to a control plane.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Credentials {
    Insecure,
    Tls(TlsFiles),
}

/// Certificates in PEM files. `None`: the system's roots, or no client certificate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct TlsFiles {
    pub roots: Option<PathBuf>,
    /// Certificate and private key.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The interval at which the files are read again.
    pub refresh: Duration,
}

/// A certificate provider, which resources name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Certificates {
    /// Files that are reloaded: `file_watcher`.
    Files(TlsFiles),
}

/// The identity of this client.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Node {
    pub id: String,
    pub cluster: String,
    /// Region, zone, and zone within it.
    pub locality: [String; 3],
    /// A JSON object with further data.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// Control planes and names of one authority.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Authority {
    pub template: String,
    /// The authority's control planes; empty: those of the bootstrap.
    pub servers: Vec<Arc<ControlPlane>>,
}

impl Bootstrap {
    /// The bootstrap that the environment of this process names.
    ///
    /// # Errors
    /// Neither variable is set, the file cannot be read, or its content is not a bootstrap.
    pub fn from_env() -> Result<Bootstrap, ConfigError> {
        Self::of_variables(|name| std::env::var_os(name))
    }

    fn of_variables(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<Bootstrap, ConfigError> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(path) = set(FILE) {
            return Self::from_file(PathBuf::from(path));
        }
        if let Some(text) = set(TEXT) {
            let text = text.into_string().map_err(|_| wrong(format!("{TEXT} is not UTF-8")))?;
            return Self::parse(&text).map_err(|error| wrong(format!("{TEXT}: {error}")));
        }
        Err(wrong(format!(
            "xds:// needs a bootstrap: set {FILE} to the path of its file, or {TEXT} to its text"
        )))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a bootstrap.
    pub fn from_file(path: impl Into<PathBuf>) -> Result<Bootstrap, ConfigError> {
        let path = path.into();
        let about = |text: String| wrong(format!("the xDS bootstrap {}: {text}", path.display()));
        let length = std::fs::metadata(&path).map_err(|error| about(error.to_string()))?.len();
        if length > LONGEST {
            return Err(about(format!("{length} bytes are more than the {LONGEST} that one may have")));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| about(error.to_string()))?;
        Self::parse(&text).map_err(|error| about(error.to_string()))
    }

    /// Reads the text.
    ///
    /// # Errors
    /// The text is not a bootstrap.
    pub fn parse(text: &str) -> Result<Bootstrap, ConfigError> {
        let json = serde_json::from_str(text).map_err(|error| wrong(format!("not JSON: {error}")))?;
        read(Json::new(&json)).map_err(wrong)
    }

    /// The name of the listener of a target: of `xds:///PATH` or `xds://AUTHORITY/PATH`. `path`: without its
    /// first slash.
    ///
    /// # Errors
    /// The authority is not in the bootstrap.
    pub(crate) fn listener(&self, authority: &str, path: &str) -> Result<String, ConfigError> {
        let template = if authority.is_empty() {
            &self.template
        } else {
            let known = self.authorities.get(authority).ok_or_else(|| {
                wrong(format!("the xDS bootstrap has no authority {authority:?}")).with_value(authority)
            })?;
            &known.template
        };
        let name = match template.starts_with("xdstp:") {
            true => template.replace("%s", &percent_encoded(path)),
            false => template.replace("%s", path),
        };
        Ok(canonical(&name))
    }

    /// The control planes from which a resource is requested.
    ///
    /// # Errors
    /// The authority of the name is not in the bootstrap.
    pub(crate) fn servers_of(&self, resource: &str) -> Result<&[Arc<ControlPlane>], String> {
        let Some(rest) = resource.strip_prefix("xdstp:") else { return Ok(&self.servers) };
        let authority = rest.strip_prefix("//").unwrap_or("").split('/').next().unwrap_or("");
        match self.authorities.get(authority) {
            Some(known) if known.servers.is_empty() => Ok(&self.servers),
            Some(known) => Ok(&known.servers),
            None => {
                let (authority, resource) = (shortened(authority), shortened(resource));
                Err(format!("the xDS bootstrap has no authority {authority:?}, which {resource:?} needs"))
            }
        }
    }
}

fn wrong(text: impl Into<String>) -> ConfigError {
    ConfigError::new("xds", text.into())
}

fn read(json: Json<'_>) -> Result<Bootstrap, String> {
    let first = servers(json.required("xds_servers")?)?;
    if first.is_empty() {
        return Err("xds_servers is empty: it names at least one server".to_owned());
    }
    let mut bootstrap = Bootstrap {
        servers: first,
        node: json.get("node").map(node).transpose()?.unwrap_or_default(),
        certificates: BTreeMap::new(),
        authorities: BTreeMap::new(),
        template: json.text("client_default_listener_resource_name_template")?.unwrap_or("%s").to_owned(),
    };
    for (name, provider) in json.object("certificate_providers")? {
        // Others are those that other clients have.
        if provider.required_text("plugin_name")? == "file_watcher" {
            let files = tls_files(provider.get("config"), &provider)?;
            if files.roots.is_none() && files.identity.is_none() {
                return Err(format!("{}.config names no file", provider.path()));
            }
            bootstrap.certificates.insert(name, Certificates::Files(files));
        }
    }
    for (name, authority) in json.object("authorities")? {
        let begin = format!("xdstp://{name}/");
        let template = match authority.text("client_listener_resource_name_template")? {
            None | Some("") => format!("{begin}envoy.config.listener.v3.Listener/%s"),
            Some(template) if template.starts_with(&begin) => template.to_owned(),
            Some(template) => {
                return Err(format!(
                    "{}: the template {template:?} does not begin with {begin:?}",
                    authority.path()
                ));
            }
        };
        let servers = authority.get("xds_servers").map(servers).transpose()?.unwrap_or_default();
        bootstrap.authorities.insert(name, Authority { template, servers });
    }
    Ok(bootstrap)
}

fn servers(json: Json<'_>) -> Result<Vec<Arc<ControlPlane>>, String> {
    json.items()?.map(|entry| server(&entry).map(Arc::new)).collect()
}

fn server(json: &Json<'_>) -> Result<ControlPlane, String> {
    let uri = json.required_text("server_uri")?;
    if uri.is_empty() {
        return Err(format!("{}.server_uri is empty", json.path()));
    }
    let mut credentials = None;
    let offered = json.required("channel_creds")?;
    for entry in offered.items()? {
        credentials = match entry.required_text("type")? {
            "insecure" => Some(Credentials::Insecure),
            "tls" => Some(Credentials::Tls(tls_files(entry.get("config"), &entry)?)),
            _ => continue, // one that other clients have
        };
        break;
    }
    let Some(credentials) = credentials else {
        return Err(format!("{} has no type that is supported: insecure and tls are", offered.path()));
    };
    let mut ignores_deletion = false;
    if let Some(features) = json.get("server_features") {
        for feature in features.items()? {
            ignores_deletion |= feature.as_text() == Some("ignore_resource_deletion");
        }
    }
    Ok(ControlPlane { uri: uri.to_owned(), credentials, ignores_deletion })
}

/// `around`: the object that contains the files, for messages.
fn tls_files(json: Option<Json<'_>>, around: &Json<'_>) -> Result<TlsFiles, String> {
    let mut files = TlsFiles { refresh: Duration::from_secs(600), ..TlsFiles::default() };
    let Some(json) = json else { return Ok(files) };
    files.roots = json.text("ca_certificate_file")?.map(PathBuf::from);
    files.identity = match (json.text("certificate_file")?, json.text("private_key_file")?) {
        (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
        (None, None) => None,
        _ => return Err(format!("{}: certificate_file and private_key_file go together", around.path())),
    };
    if let Some(text) = json.text("refresh_interval")? {
        let seconds = text.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
        let interval = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        files.refresh = interval
            .filter(|interval| !interval.is_zero())
            .ok_or_else(|| format!("{}.refresh_interval is {text:?}, not such as \"600s\"", json.path()))?;
    }
    Ok(files)
}

fn node(json: Json<'_>) -> Result<Node, String> {
    let text = |json: &Json<'_>, name| json.text(name).map(|text| text.unwrap_or_default().to_owned());
    let mut node = Node { id: text(&json, "id")?, cluster: text(&json, "cluster")?, ..Node::default() };
    if let Some(locality) = json.get("locality") {
        node.locality = [text(&locality, "region")?, text(&locality, "zone")?, text(&locality, "sub_zone")?];
    }
    if let Some(metadata) = json.get("metadata") {
        node.metadata = metadata.as_object()?.clone();
    }
    Ok(node)
}
