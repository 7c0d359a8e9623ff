//! `gateway`: the file in the manifest for Kubernetes.

use crate::support::{Folder, run};
use std::fs;

const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/kubernetes/gateway.yaml");
/// Where the pods have the secret.
const TOKEN: &str = "/etc/polywire/admin/token";

#[test]
fn the_file_of_the_manifest_is_right_and_its_ports_are_those_of_the_pods() {
    let manifest = fs::read_to_string(MANIFEST).unwrap();
    let (_, block) = manifest.split_once("  gateway.toml: |\n").expect("the file is in the ConfigMap");
    let lines = block.lines().take_while(|line| line.is_empty() || line.starts_with("    "));
    let text = lines.map(|line| line.get(4..).unwrap_or_default()).collect::<Vec<_>>().join("\n");
    assert!(text.contains(TOKEN), "{text}");

    let folder = Folder::new("gateway-manifest");
    let token = folder.write("token", "0123456789abcdef");
    let file = folder.write("gateway.toml", &text.replace(TOKEN, &token));
    run(&["gateway", "check", &file]).succeeds();

    let ports: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("listen = \"0.0.0.0:")).collect();
    assert_eq!(ports.len(), 2, "{text}");
    for port in ports {
        let of_pods = format!("containerPort: {} }}", port.trim_end_matches('"'));
        assert!(manifest.contains(&of_pods), "{of_pods}");
    }
}
