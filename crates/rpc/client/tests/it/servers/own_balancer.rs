//! A balancer of the user.

use crate::cluster::*;
use polywire_balance::{Members, NoEndpoint, Query, Spec, policies::Policy};
use polywire_client::Resilience;

/// The last server that is ready.
#[derive(Debug)]
struct Last;

impl Policy for Last {
    fn choose(&self, members: &Members, query: &mut Query<'_>) -> Result<usize, NoEndpoint> {
        let ready = members.iter().enumerate().filter(|(_, server)| server.state().is_ready(query.now));
        ready.last().map(|(position, _)| position).ok_or(NoEndpoint::NoneReady)
    }
}

#[test]
fn a_balancer_of_ones_own_chooses_the_server_of_each_call() {
    run(async {
        let cluster = Cluster::default();
        let balancer = || Spec::own("last", |_| Box::new(Last));
        let resilience = Resilience::default().balancer(balancer());
        let channel = cluster.channel("list://a:1,b:1,c:1").resilience(resilience).build().unwrap();
        assert_eq!(shares(&channel, 20).await["c:1"], 20);
        assert_eq!(channel.why().balancer, "last");
        cluster.set("c:1", Manner::Refuses);
        let _ = shares(&channel, 5).await;
        assert_eq!(shares(&channel, 20).await["b:1"], 20, "it is asked who is ready");
        let one = cluster.channel("a:1").resilience(Resilience::default().balancer(balancer())).build();
        let said = one.map(|_| ()).unwrap_err().to_string();
        assert!(said.starts_with("resilience.balancer is for channels with several servers"), "{said}");
    });
}
