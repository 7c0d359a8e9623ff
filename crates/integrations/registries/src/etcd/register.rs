//! Registers a server as a key that is tied to a lease, which is kept alive for as long as the server serves.

use super::{
    Etcd,
    messages::{
        DeleteRangeRequest, DeleteRangeResponse, LeaseGrantRequest, LeaseGrantResponse,
        LeaseKeepAliveRequest, LeaseKeepAliveResponse, LeaseRevokeRequest, LeaseRevokeResponse, PutRequest,
        PutResponse,
    },
};
use crate::{bounds::TIMEOUT, value};
use polywire_call::{Code, Status};
use polywire_client::Duplex;
use polywire_naming::{Accepted, Keeping, Registrar, Server, Watching};
use std::{convert::Infallible, sync::atomic::Ordering::Relaxed, time::Duration};
use tokio::time::{sleep, timeout};

impl Registrar for Etcd {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn keep<'a>(&'a self, server: &'a Server, accepted: &'a Accepted) -> Keeping<'a> {
        Box::pin(async move {
            match self.keep_key(server, accepted).await {
                Err(status) => self.client.failed(&status),
                Ok(never) => match never {},
            }
        })
    }

    fn withdraw<'a>(&'a self, server: &'a Server) -> Watching<'a> {
        Box::pin(async move { self.remove(server).await.map_err(|status| self.client.failed(&status)) })
    }
}

impl Etcd {
    fn key(&self, server: &Server) -> Vec<u8> {
        format!("{}{}", self.prefix, server.address).into_bytes()
    }

    async fn keep_key(&self, server: &Server, accepted: &Accepted) -> Result<Infallible, Status> {
        let session = self.client.session().await?;
        let seconds = self.ttl.as_secs() as i64;
        let grant = LeaseGrantRequest { TTL: seconds, ID: 0 };
        let lease: LeaseGrantResponse = session.call(("etcdserverpb.Lease", "LeaseGrant"), grant).await?;
        if !lease.error.is_empty() {
            return Err(Status::unavailable(format!("no lease: {}", lease.error)));
        }
        self.lease.store(lease.ID, Relaxed);
        let put = PutRequest { key: self.key(server), value: value::of(server), lease: lease.ID };
        let _: PutResponse = session.call(("etcdserverpb.KV", "Put"), put).await?;
        accepted.set();

        let mut stream: Duplex<LeaseKeepAliveRequest, LeaseKeepAliveResponse> =
            session.open(("etcdserverpb.Lease", "LeaseKeepAlive")).await?;
        // etcd may have granted another time than the one that was asked for.
        let every = Duration::from_secs(lease.TTL.clamp(1, seconds.max(1)) as u64) / 3;
        loop {
            sleep(every).await;
            stream.send(LeaseKeepAliveRequest { ID: lease.ID }).await?;
            match timeout(TIMEOUT, stream.next()).await {
                Ok(Some(Ok(answer))) if answer.TTL > 0 => {}
                Ok(Some(Ok(_))) => return Err(Status::not_found("the lease has expired")),
                Ok(Some(Err(status))) => return Err(status),
                Ok(None) => return Err(Status::unavailable("etcd has ended the keeping of the lease")),
                Err(_) => return Err(Status::deadline_exceeded("etcd does not answer")),
            }
        }
    }

    /// The key is deleted first: it may be tied to another lease than the last one.
    async fn remove(&self, server: &Server) -> Result<(), Status> {
        let session = self.client.session().await?;
        let delete = DeleteRangeRequest { key: self.key(server), range_end: Vec::new() };
        let _: DeleteRangeResponse = session.call(("etcdserverpb.KV", "DeleteRange"), delete).await?;
        let lease = self.lease.swap(0, Relaxed);
        if lease != 0 {
            let revoke = LeaseRevokeRequest { ID: lease };
            let revoked: Result<LeaseRevokeResponse, Status> =
                session.call(("etcdserverpb.Lease", "LeaseRevoke"), revoke).await;
            return match revoked {
                Err(status) if status.code() != Code::NotFound => Err(status),
                _ => Ok(()),
            };
        }
        Ok(())
    }
}
