//! Whether the API server of these tests answers as kube-apiserver does: `conversation.json` has requests,
//! and what a real one answered (interop/kubernetes writes and checks it).

use super::api::{Api, SLICES, events, slice};
use crate::common::http::{Reply, Request};
use serde_json::{Value, json};
use std::{collections::BTreeMap, time::Duration};
use tokio::time::sleep;

#[tokio::test(start_paused = true)]
async fn the_server_of_these_tests_answers_as_kube_apiserver_does() {
    let recorded: BTreeMap<String, Vec<Value>> =
        serde_json::from_str(include_str!("conversation.json")).unwrap();
    assert_eq!(recorded.len(), 2);
    for (cache, steps) in recorded {
        assert!(steps.len() > 15, "{cache}");
        let mut talk = Talk::default();
        talk.api.known().token = Some("right");
        for step in steps {
            let answer = talk.step(&step).await;
            assert_eq!(answer, step["answer"], "{cache}: {step:#}");
        }
    }
}

#[derive(Default)]
struct Talk {
    api: Api,
    /// After each change.
    versions: Vec<u64>,
    /// Where lists go on.
    places: Vec<String>,
}

impl Talk {
    /// The answer, if the step is a request.
    async fn step(&mut self, step: &Value) -> Value {
        let query = step["query"].as_str().unwrap_or_default();
        match step["do"].as_str().unwrap() {
            "get" => self.ask(query, "right", step.get("during")).await,
            "wrong token" => self.ask(query, "wrong", None).await,
            "compact" => {
                self.api.compact();
                Value::Null
            }
            what => {
                let arguments = step["arguments"].as_array().unwrap().iter();
                self.change(what, &arguments.map(|text| text.as_str().unwrap()).collect::<Vec<_>>());
                Value::Null
            }
        }
    }

    fn change(&mut self, what: &str, arguments: &[&str]) {
        let argument = |n: usize| arguments.get(n).copied();
        let version = match what {
            "create" => {
                let mut slice = slice(argument(0).unwrap(), &[argument(1).unwrap()]);
                slice["metadata"]["labels"]["kubernetes.io/service-name"] =
                    json!(argument(2).unwrap_or("echo"));
                self.api.put(slice)
            }
            "unready" => {
                let mut slice = self.api.get(argument(0).unwrap());
                slice["endpoints"][0]["conditions"]["ready"] = json!(false);
                self.api.put(slice)
            }
            "relabel" => {
                let mut slice = self.api.get(argument(0).unwrap());
                slice["metadata"]["labels"]["kubernetes.io/service-name"] = json!(argument(1));
                self.api.put(slice)
            }
            "delete" => self.api.delete(argument(0).unwrap()),
            other => panic!("{other}"),
        };
        self.versions.push(version);
    }

    /// `during`: a change that is made a second later, while a watch goes on.
    async fn ask(&mut self, query: &str, token: &str, during: Option<&Value>) -> Value {
        let parameters = query.split('&').map(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap();
            let number = |prefix| value.strip_prefix(prefix).and_then(|number| number.parse::<usize>().ok());
            let value = match name {
                "resourceVersion" => number('v').map(|number| self.versions[number - 1].to_string()),
                "continue" => number('c').map(|number| self.places[number - 1].clone()),
                _ => None,
            };
            (name.to_owned(), value.unwrap_or_else(|| parameter.split_once('=').unwrap().1.to_owned()))
        });
        let selector = ("labelSelector".to_owned(), "kubernetes.io%2Fservice-name%3Decho".to_owned());
        let request = Request {
            verb: "GET".to_owned(),
            path: SLICES.to_owned(),
            query: parameters.chain([selector]).collect(),
            fields: [("authorization".to_owned(), format!("Bearer {token}"))].into(),
            body: Vec::new(),
        };
        match self.api.answer(&request) {
            Reply::Whole(code, fields, body) => {
                let body: Value = serde_json::from_slice(&body).unwrap();
                let mut answer = json!({ "status": code, "type": fields[0].1, "chunked": false });
                match body["kind"] == "Status" {
                    true => add(&mut answer, failure(&body)),
                    false => {
                        let place = body["metadata"]["continue"].as_str();
                        self.places.extend(place.map(str::to_owned));
                        let items: Vec<_> =
                            body["items"].as_array().unwrap().iter().map(|item| self.named(item)).collect();
                        add(
                            &mut answer,
                            json!({ "kind": body["kind"], "version": self.version(&body), "continues": place.is_some(), "items": items }),
                        );
                    }
                }
                answer
            }
            // `Web` writes this type.
            Reply::Chunks(chunks) => {
                if let Some(during) = during {
                    sleep(Duration::from_secs(1)).await;
                    let words: Vec<_> =
                        during.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
                    self.change(words[0], &words[1..]);
                }
                let events: Vec<_> = events(chunks).await.iter().map(|event| self.event(event)).collect();
                json!({ "status": 200, "type": "application/json", "chunked": true, "events": events })
            }
            _ => panic!("no answer"),
        }
    }

    fn event(&self, event: &Value) -> Value {
        let (kind, object) = (&event["type"], &event["object"]);
        let mut said = json!({ "type": kind, "kind": object["kind"] });
        match kind.as_str().unwrap() {
            "ERROR" => add(&mut said, failure(object)),
            "BOOKMARK" => said["object"] = json!(self.version(object)),
            _ => said["object"] = json!(self.named(object)),
        }
        said
    }

    fn named(&self, slice: &Value) -> String {
        let metadata = &slice["metadata"];
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let endpoints = slice["endpoints"].as_array().unwrap();
        let ready = endpoints.iter().all(|endpoint| endpoint["conditions"]["ready"] != json!(false));
        let service = text(&metadata["labels"]["kubernetes.io/service-name"]);
        let ready = if ready { "ready" } else { "not ready" };
        format!("{} {} {service} {ready}", text(&metadata["name"]), self.version(slice))
    }

    /// The number of changes before it.
    fn version(&self, of: &Value) -> String {
        let version: u64 = of["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap();
        format!("v{}", self.versions.iter().filter(|known| **known <= version).count())
    }
}

fn failure(status: &Value) -> Value {
    let reason = status.get("reason").and_then(Value::as_str).unwrap_or_default();
    json!({ "kind": status["kind"], "code": status["code"], "reason": reason })
}

fn add(to: &mut Value, more: Value) {
    let Value::Object(more) = more else { panic!("an object") };
    to.as_object_mut().expect("an object").extend(more);
}
