package org.polywire.interop;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;

/** jedis and lettuce, each in both versions of the protocol, against the server of the first argument. */
public final class RedisClients {
    private static final Checks CHECKS = new Checks();

    public static void main(String[] arguments) {
        String[] address = arguments[0].split(":");
        String host = address[0];
        int port = Integer.parseInt(address[1]);
        for (RedisProtocol version : List.of(RedisProtocol.RESP2, RedisProtocol.RESP3)) {
            jedis(host, port, version);
        }
        for (ProtocolVersion version : List.of(ProtocolVersion.RESP2, ProtocolVersion.RESP3)) {
            lettuce(host, port, version);
        }
        CHECKS.exit();
    }

    private static void jedis(String host, int port, RedisProtocol version) {
        String named = "jedis: " + version + ": ";
        var config = DefaultJedisClientConfig.builder().protocol(version).clientName("interop").build();
        CHECKS.check(named + "connects, with a name, and pings", () -> {
            try (Jedis jedis = new Jedis(new HostAndPort(host, port), config)) {
                Checks.same("PONG", jedis.ping());
                Checks.same("interop", jedis.clientGetname());
            }
        });
        CHECKS.check(named + "strings, hashes, lists and errors over its pool", () -> {
            try (JedisPooled jedis = new JedisPooled(new HostAndPort(host, port), config)) {
                jedis.del("jedis:h", "jedis:l");
                Checks.same("OK", jedis.set("jedis:s", "v"));
                Checks.same("v", jedis.get("jedis:s"));
                Checks.same(2L, jedis.hset("jedis:h", Map.of("a", "1", "b", "2")));
                Checks.same(Map.of("a", "1", "b", "2"), jedis.hgetAll("jedis:h"));
                Checks.same(2L, jedis.rpush("jedis:l", "x", "y"));
                Checks.same(List.of("x", "y"), jedis.lrange("jedis:l", 0, -1));
                String wrong = Checks.failure(() -> jedis.incr("jedis:l"));
                Checks.that(wrong.contains("WRONGTYPE"), wrong);
            }
        });
        CHECKS.check(named + "a pipeline and a transaction", () -> {
            try (Jedis jedis = new Jedis(new HostAndPort(host, port), config)) {
                jedis.set("jedis:n", "0");
                var pipeline = jedis.pipelined();
                List<Response<Long>> sums = new ArrayList<>();
                for (int i = 0; i < 1000; i++) {
                    sums.add(pipeline.incr("jedis:n"));
                }
                pipeline.sync();
                Checks.same(1000L, sums.get(999).get());
                jedis.watch("jedis:n");
                var transaction = jedis.multi();
                transaction.incr("jedis:n");
                Checks.same(List.of(1001L), transaction.exec());
            }
        });
    }

    private static void lettuce(String host, int port, ProtocolVersion version) {
        String named = "lettuce: " + version + ": ";
        RedisClient client = RedisClient.create(RedisURI.builder().withHost(host).withPort(port).withClientName("interop").build());
        client.setOptions(ClientOptions.builder().protocolVersion(version).build());
        CHECKS.check(named + "connects, with a name, and pings", () -> {
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                Checks.same("PONG", connection.sync().ping());
                Checks.same("interop", connection.sync().clientGetname());
            }
        });
        CHECKS.check(named + "strings, hashes, lists and errors", () -> {
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                var redis = connection.sync();
                redis.del("lettuce:h", "lettuce:l");
                Checks.same("OK", redis.set("lettuce:s", "v"));
                Checks.same("v", redis.get("lettuce:s"));
                Checks.same(2L, redis.hset("lettuce:h", Map.of("a", "1", "b", "2")));
                Checks.same(Map.of("a", "1", "b", "2"), redis.hgetall("lettuce:h"));
                Checks.same(2L, redis.rpush("lettuce:l", "x", "y"));
                Checks.same(List.of("x", "y"), redis.lrange("lettuce:l", 0, -1));
                String wrong = Checks.failure(() -> redis.incr("lettuce:l"));
                Checks.that(wrong.contains("WRONGTYPE"), wrong);
            }
        });
        CHECKS.check(named + "1000 commands under way at once, and a transaction", () -> {
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                var redis = connection.sync();
                redis.set("lettuce:n", "0");
                List<CompletionStage<Long>> sums = new ArrayList<>();
                for (int i = 0; i < 1000; i++) {
                    sums.add(connection.async().incr("lettuce:n"));
                }
                Checks.same(1000L, sums.get(999).toCompletableFuture().get());
                redis.multi();
                redis.incr("lettuce:n");
                TransactionResult result = redis.exec();
                Checks.same(1001L, result.get(0));
            }
        });
        client.shutdown();
    }
}
