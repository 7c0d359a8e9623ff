//! Registers a server as an ephemeral instance, which Nacos keeps for as long as it hears beats: unhealthy
//! after 15 s without one, removed after 30 s.

use super::Nacos;
use crate::{hosts::split, http::Failed, url::encoded};
use polywire_naming::{Accepted, Keeping, Registrar, Server, SourceError, Watching};
use serde_json::{Value, json};
use std::{collections::BTreeMap, convert::Infallible, time::Duration};
use tokio::time::{Instant, sleep};

const INSTANCE: &str = "/nacos/v1/ns/instance";
const BEAT: &str = "/nacos/v1/ns/instance/beat";
/// The time between two beats, unless Nacos asks for another one.
const EVERY: Duration = Duration::from_secs(5);
/// The interval at which the instance is registered again. A Nacos server that has lost it may create it
/// again from a beat without notice; r-nacos then leaves out the weight, which its other clients would use
/// from then on.
const REREGISTER_AFTER: Duration = Duration::from_secs(30);
/// "RESOURCE_NOT_FOUND": the instance is not there any more.
const NOT_FOUND: u64 = 20404;

impl Registrar for Nacos {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn keep<'a>(&'a self, server: &'a Server, accepted: &'a Accepted) -> Keeping<'a> {
        Box::pin(async move {
            match self.keep_instance(server, accepted).await {
                Err(why) => why,
                Ok(never) => match never {},
            }
        })
    }

    fn withdraw<'a>(&'a self, server: &'a Server) -> Watching<'a> {
        Box::pin(async move {
            self.client.send("DELETE", INSTANCE, &self.instance(server)?).await?;
            Ok(())
        })
    }
}

impl Nacos {
    async fn keep_instance(&self, server: &Server, accepted: &Accepted) -> Result<Infallible, SourceError> {
        let instance = self.instance(server)?;
        let weight = server.weight.unwrap_or(1);
        let mut metadata: BTreeMap<&str, &str> =
            server.metadata.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if let Some(zone) = &server.zone {
            metadata.insert("zone", zone);
        }
        let metadata = json!(metadata);
        let settings = format!("weight={weight}&metadata={}", encoded(&metadata.to_string()));
        // Not `enabled` or `healthy`, which are true unless something else is said: r-nacos would enable what
        // an operator has disabled whenever this is repeated.
        let entry = format!("{instance}&{settings}");
        self.client.send("POST", INSTANCE, &entry).await?;
        accepted.set();
        let mut said = Instant::now();

        let (ip, port) = self.place(server)?;
        let beat = json!({
            "serviceName": self.full_name(), "ip": ip, "port": port, "weight": weight, "metadata": metadata,
            "cluster": "DEFAULT", "scheduled": true, "period": EVERY.as_millis() as u64,
        });
        let beat = format!("{instance}&beat={}", encoded(&beat.to_string()));
        let mut every = EVERY;
        loop {
            sleep(every).await;
            let answer = match self.client.send("PUT", BEAT, &beat).await {
                Err(Failed::Answered(404, why)) => {
                    return Err(SourceError::new(format!("Nacos has lost the instance: {why}")));
                }
                other => other?,
            };
            let answer: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            if answer.get("code").and_then(Value::as_u64) == Some(NOT_FOUND) {
                return Err(SourceError::new("Nacos has lost the instance"));
            }
            if said.elapsed() >= REREGISTER_AFTER {
                self.client.send("POST", INSTANCE, &entry).await?;
                said = Instant::now();
            }
            let asked = answer.get("clientBeatInterval").and_then(Value::as_u64).filter(|millis| *millis > 0);
            every = asked.map_or(EVERY, Duration::from_millis).clamp(Duration::from_millis(500), EVERY);
        }
    }

    fn place<'s>(&self, server: &'s Server) -> Result<(&'s str, u16), SourceError> {
        split(&server.address).ok_or_else(|| {
            SourceError::new(format!("{:?} cannot be registered: it is not host:port", server.address))
        })
    }

    /// The name of the service in beats: with its group.
    fn full_name(&self) -> String {
        format!("{}@@{}", self.group.as_deref().unwrap_or("DEFAULT_GROUP"), self.service)
    }

    /// The parameters that name the instance of a server.
    fn instance(&self, server: &Server) -> Result<String, SourceError> {
        let (ip, port) = self.place(server)?;
        let mut query =
            format!("serviceName={}&ip={}&port={port}&ephemeral=true", encoded(&self.service), encoded(ip));
        for (name, value) in [("groupName", &self.group), ("namespaceId", &self.namespace)] {
            if let Some(value) = value {
                query.push_str(&format!("&{name}={}", encoded(value)));
            }
        }
        Ok(query)
    }
}
