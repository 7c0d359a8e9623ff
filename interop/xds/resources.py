"""xDS resources as protobuf's JSON."""

CONFIG = "type.googleapis.com/envoy.config."
EXTENSIONS = "type.googleapis.com/envoy.extensions."
# go-control-plane may send endpoints before the cluster that they are new for, and not again: Envoy then takes those that it has, after
# this time (15 s if nothing is said).
ADS = {"ads": {}, "resourceApiVersion": "V3", "initialFetchTimeout": "1s"}


def any_of(kind, **fields):
    return {"@type": kind, **fields}


def listener(name, routes, *, faults=None, **options):
    """`routes`: the name of a route configuration."""
    filters = [{"name": "router", "typedConfig": any_of(f"{EXTENSIONS}filters.http.router.v3.Router")}]
    if faults is not None:
        fault = any_of(f"{EXTENSIONS}filters.http.fault.v3.HTTPFault", **faults)
        filters.insert(0, {"name": "fault", "typedConfig": fault})
    manager = any_of(
        f"{EXTENSIONS}filters.network.http_connection_manager.v3.HttpConnectionManager",
        rds={"configSource": ADS, "routeConfigName": routes}, httpFilters=filters, statPrefix=name, **options,
    )
    return any_of(f"{CONFIG}listener.v3.Listener", name=name, apiListener={"apiListener": manager})


def routes(name, *rows, domains=("*",), **options):
    """Rows: a match, and an action."""
    rows = [{"match": match, "route": action} for match, action in rows]
    host = {"name": "host", "domains": list(domains), "routes": rows, **options}
    return any_of(f"{CONFIG}route.v3.RouteConfiguration", name=name, virtualHosts=[host])


def to(cluster, **options):
    return {"cluster": cluster, **options}


def weighted(**weights):
    return {"weightedClusters": {"clusters": [{"name": name, "weight": weight} for name, weight in weights.items()]}}


# What Envoy is told of every cluster, and gRPC does not read.
HTTP = "upstreams.http.v3.HttpProtocolOptions"
FOR_ENVOY = {
    "typedExtensionProtocolOptions": {
        f"envoy.extensions.{HTTP}": any_of(f"{EXTENSIONS}{HTTP}", explicitHttpConfig={"http2ProtocolOptions": {}}),
    },
    # gRPC always weighs localities, and never calls servers that are known to be gone.
    "commonLbConfig": {"localityWeightedLbConfig": {}, "healthyPanicThreshold": {"value": 0}},
    # Else a server that is no longer mentioned has calls as long as its health checks succeed.
    "ignoreHealthOnHostRemoval": True,
    # gRPC sees from its connections whether a server is there; Envoy connects when there is a call for it.
    "healthChecks": [{
        "timeout": "1s", "interval": "0.2s", "noTrafficInterval": "0.2s", "unhealthyThreshold": 1, "healthyThreshold": 1,
        "tcpHealthCheck": {},
    }],
}


def cluster(name, **options):
    eds = {"edsClusterConfig": {"edsConfig": ADS}}
    return any_of(f"{CONFIG}cluster.v3.Cluster", name=name, type="EDS", **{**eds, **FOR_ENVOY, **options})


def aggregate(name, *children):
    config = any_of(f"{EXTENSIONS}clusters.aggregate.v3.ClusterConfig", clusters=list(children))
    kind = {"name": "envoy.clusters.aggregate", "typedConfig": config}
    return any_of(f"{CONFIG}cluster.v3.Cluster", name=name, clusterType=kind)


def for_envoy(resource, port):
    """The same, where Envoy refuses what gRPC is told, or the other way round."""
    if "apiListener" in resource:
        # Envoy ignores those of a control plane. This one has the same content, and a port.
        filters = [{"name": "manager", "typedConfig": resource["apiListener"]["apiListener"]}]
        address = {"socketAddress": {"address": "127.0.0.1", "portValue": port}}
        return any_of(resource["@type"], name=resource["name"], address=address, filterChains=[{"filters": filters}])
    if "clusterType" in resource:
        # Envoy refuses an aggregate without this policy, and gRPC one with it.
        return {**resource, "lbPolicy": "CLUSTER_PROVIDED"}
    return resource


def endpoints(name, *priorities, **options):
    """Each priority is a list of what `endpoint` takes, in a locality of its own, or of (weight, list), in one each."""
    localities = []
    for priority, members in enumerate(priorities):
        groups = members if members and isinstance(members[0], tuple) and isinstance(members[0][1], list) else [(1, members)]
        for number, (weight, addresses) in enumerate(groups):
            localities.append({
                "locality": {"region": "r", "zone": f"z{priority}", "subZone": str(number)},
                "loadBalancingWeight": weight, "priority": priority, "lbEndpoints": [endpoint(a) for a in addresses],
            })
    return any_of(f"{CONFIG}endpoint.v3.ClusterLoadAssignment", clusterName=name, endpoints=localities, **options)


def endpoint(address):
    """Of an address, or of (key, address): the key is what places it on a ring."""
    key, address = address if isinstance(address, tuple) else (None, address)
    host, port = address.rsplit(":", 1)
    metadata = {"metadata": {"filterMetadata": {"envoy.lb": {"hash_key": key}}}} if key else {}
    return {"endpoint": {"address": {"socketAddress": {"address": host, "portValue": int(port)}}}, **metadata}
