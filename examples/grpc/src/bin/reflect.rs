//! The questions that tools ask a server, asked by hand: `grpc-reflect [ADDRESS]`.

use polywire::{
    Channel,
    standard::{
        health::{HealthCheckRequest, HealthClient},
        reflection::{
            ServerReflectionClient, ServerReflectionRequest, server_reflection_request::MessageRequest,
            server_reflection_response::MessageResponse,
        },
    },
};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let channel = Channel::builder(address).protocol("grpc").build()?;

    let mut asking = ServerReflectionClient::new(channel.clone()).server_reflection_info().await?;
    let all = MessageRequest::ListServices(String::new());
    asking.send(ServerReflectionRequest { message_request: Some(all), ..Default::default() }).await?;
    let answer = asking.next().await.transpose()?.and_then(|answer| answer.message_response);
    let Some(MessageResponse::ListServicesResponse(list)) = answer else { return Err("no list".into()) };

    let health = HealthClient::new(channel);
    for service in list.service {
        let said = health.check(HealthCheckRequest { service: service.name.clone() }).await;
        let said = said.map_or_else(|status| status.code().to_string(), |said| format!("{:?}", said.status));
        println!("{}: {said}", service.name);
    }
    Ok(())
}
