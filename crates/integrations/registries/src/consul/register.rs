//! Registers a server as a service of the agent, with a check that it has to pass every few seconds.
//!
//! An agent that was restarted without its state answers that it does not know the check: the service is
//! registered again.

use super::Consul;
use crate::{
    bounds::TIMEOUT,
    hosts::split,
    http::Failed,
    url::{decoded, encoded},
};
use polywire_naming::{Accepted, Keeping, Registrar, Server, SourceError, Watching};
use serde_json::json;
use std::{collections::BTreeMap, time::Duration};
use tokio::time::sleep;

/// After how long in a critical state Consul removes the entry of a server that was killed. A minute is the
/// least it takes.
const FORGET: &str = "1m";

impl Registrar for Consul {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn keep<'a>(&'a self, server: &'a Server, accepted: &'a Accepted) -> Keeping<'a> {
        Box::pin(async move {
            match self.keep_entry(server, accepted).await {
                Err(why) => why,
                Ok(never) => match never {},
            }
        })
    }

    fn withdraw<'a>(&'a self, server: &'a Server) -> Watching<'a> {
        Box::pin(async move {
            let path = format!("/v1/agent/service/deregister/{}", encoded(&self.id(server)));
            match self.put(&path, Vec::new()).await {
                Ok(()) | Err(Failed::Answered(404, _)) => Ok(()), // the agent does not know it
                Err(failed) => Err(failed.into()),
            }
        })
    }
}

impl Consul {
    /// The id of the entry, one for each address of a service: a server that returns replaces its old entry.
    fn id(&self, server: &Server) -> String {
        format!("{}-{}", decoded(&self.service), server.address)
    }

    async fn keep_entry(
        &self,
        server: &Server,
        accepted: &Accepted,
    ) -> Result<std::convert::Infallible, SourceError> {
        self.put("/v1/agent/service/register?replace-existing-checks", self.entry(server)?).await?;
        accepted.set();
        let check = format!("/v1/agent/check/pass/{}", encoded(&format!("service:{}", self.id(server))));
        loop {
            sleep(self.ttl / 3).await;
            match self.put(&check, Vec::new()).await {
                Ok(()) => {}
                Err(Failed::Answered(404 | 500, why)) => {
                    return Err(SourceError::new(format!("the agent has lost the entry: {why}")));
                }
                Err(failed) => return Err(failed.into()),
            }
        }
    }

    async fn put(&self, path: &str, body: Vec<u8>) -> Result<(), Failed> {
        // Longer than a pass may take would mean that the next one is late.
        let timeout = TIMEOUT.min((self.ttl / 3).max(Duration::from_millis(500)));
        self.http.send("PUT", path, &self.fields(), body, timeout).await.map(|_| ())
    }

    /// The registration that the agent receives.
    fn entry(&self, server: &Server) -> Result<Vec<u8>, SourceError> {
        let (host, port) = split(&server.address).ok_or_else(|| {
            SourceError::new(format!("{:?} cannot be registered: it is not host:port", server.address))
        })?;
        let mut meta: BTreeMap<&str, &str> =
            server.metadata.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if let Some(zone) = &server.zone {
            meta.insert("zone", zone);
        }
        let tags: Vec<&str> = Some(server.tag.as_str()).filter(|tag| !tag.is_empty()).into_iter().collect();
        let mut entry = json!({
            "ID": self.id(server),
            "Name": decoded(&self.service),
            "Address": host,
            "Port": port,
            "Tags": tags,
            "Meta": meta,
            "Check": {
                "TTL": format!("{}ms", self.ttl.as_millis()),
                "Status": "passing",
                "DeregisterCriticalServiceAfter": FORGET,
            },
        });
        if let Some(weight) = server.weight {
            entry["Weights"] = json!({ "Passing": weight, "Warning": 1 });
        }
        Ok(entry.to_string().into_bytes())
    }
}
