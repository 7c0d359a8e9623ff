//! `grpc.health.v1`: its messages and client, and the service of a server.

pub use super::generated::health::*;

use health_check_response::ServingStatus;
use polywire_call::{Reply, Status};
use polywire_server::{About, Context, Method, Service, Serving};
use polywire_streams::Stream;

/// Publishes the server's [`Health`](polywire_server::Health) to every peer: load balancers ask from other
/// machines.
struct Answering {
    health: polywire_server::Health,
}

pub(super) fn service(about: &About) -> Service {
    let service = Answering { health: about.health.clone() }.into_service();
    ["Check", "List", "Watch"]
        .into_iter()
        .fold(service, |service, method| service.method(method, Method::open_to_all))
}

fn response(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

fn status(serving: Serving) -> ServingStatus {
    match serving {
        Serving::Unknown => ServingStatus::UNKNOWN,
        Serving::Yes => ServingStatus::SERVING,
        Serving::No => ServingStatus::NOT_SERVING,
    }
}

impl Health for Answering {
    async fn check(
        &self,
        _: &Context,
        request: HealthCheckRequest,
    ) -> Result<Reply<HealthCheckResponse>, Status> {
        match self.health.get(&request.service) {
            Some(serving) => Ok(response(status(serving)).into()),
            None => Err(Status::not_found("unknown service")),
        }
    }

    async fn list(&self, _: &Context, _: HealthListRequest) -> Result<Reply<HealthListResponse>, Status> {
        let all = self.health.all().into_iter();
        let statuses = all.map(|(service, serving)| (service, response(status(serving)))).collect();
        Ok(HealthListResponse { statuses }.into())
    }

    async fn watch(
        &self,
        cx: &Context,
        request: HealthCheckRequest,
    ) -> Result<impl Stream<Item = Result<HealthCheckResponse, Status>>, Status> {
        let (sender, statuses) = polywire_streams::stream(1);
        let mut watch = self.health.watch(&request.service);
        cx.spawn(async move {
            while let Some(serving) = watch.next().await {
                let status = serving.map_or(ServingStatus::SERVICE_UNKNOWN, status);
                sender.send(response(status)).await?;
            }
            Err(Status::unavailable("the server stops"))
        });
        Ok(statuses)
    }
}
