//! Requests to Nacos, with a token where there is a user.

use crate::{
    bounds::TIMEOUT,
    http::{Answer, Failed, Http},
    url::encoded,
};
use serde_json::Value;
use std::{fmt, time::Duration};
use tokio::{sync::Mutex, time::Instant};

const LOGIN: &str = "/nacos/v1/auth/login";
/// How long before its end a token is renewed, as in brpc.
const AHEAD: Duration = Duration::from_secs(10);
/// The maximum time in seconds that a token is used, whatever lifetime Nacos states.
const LONGEST: u64 = 24 * 60 * 60;

pub(super) struct Client {
    http: Http,
    /// The name and the password of the user, where Nacos asks for one.
    user: Option<(String, String)>,
    /// A token, encoded, and when it is to be renewed.
    token: Mutex<Option<(String, Instant)>>,
}

impl Client {
    pub fn new(http: Http, user: Option<(String, String)>) -> Client {
        Client { http, user, token: Mutex::new(None) }
    }

    /// The same client over other channels.
    pub fn over(self, http: Http) -> Client {
        Client { http, ..self }
    }

    /// Sends a request. `query` is encoded.
    pub async fn send(&self, verb: &str, path: &str, query: &str) -> Result<Answer, Failed> {
        let token = self.token().await?;
        let path = match &token {
            Some(token) => format!("{path}?accessToken={token}&{query}"),
            None => format!("{path}?{query}"),
        };
        let answer = self.http.send(verb, &path, &[], Vec::new(), TIMEOUT).await;
        if matches!(answer, Err(Failed::Answered(401 | 403, _))) {
            *self.token.lock().await = None; // it is asked for anew
        }
        answer
    }

    async fn token(&self) -> Result<Option<String>, Failed> {
        let Some((name, password)) = &self.user else { return Ok(None) };
        let mut token = self.token.lock().await;
        if let Some((token, renew)) = &*token
            && Instant::now() < *renew
        {
            return Ok(Some(token.clone()));
        }
        let form = format!("username={}&password={}", encoded(name), encoded(password));
        let fields = [("content-type", "application/x-www-form-urlencoded")];
        let answer = self.http.send("POST", LOGIN, &fields, form.into_bytes(), TIMEOUT).await?;
        let value: Option<Value> = serde_json::from_slice(&answer.body).ok();
        let given = value.as_ref().and_then(|value| {
            let seconds = value.get("tokenTtl").and_then(Value::as_u64).unwrap_or(0);
            Some((value.get("accessToken")?.as_str()?, seconds))
        });
        let Some((given, seconds)) = given else {
            return Err(Failed::Unreached("the answer to the login has no accessToken".to_owned()));
        };
        let lasts = Duration::from_secs(seconds.min(LONGEST)).saturating_sub(AHEAD);
        let given = encoded(given);
        *token = Some((given.clone(), Instant::now() + lasts));
        Ok(Some(given))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.http.fmt(f)
    }
}
