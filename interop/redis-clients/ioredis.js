// ioredis against the server of the first argument; prints what `interop/run` reads.
const assert = require('node:assert');
const Redis = require('ioredis');

const [host, port] = process.argv[2].split(':');
let failed = 0;

async function check(name, body) {
  try {
    await body();
    console.log(`pass ioredis: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ioredis: ${name}: ${error.message.replaceAll('\n', ' ')}`);
  }
}

async function main() {
  const redis = new Redis({ host, port: Number(port), lazyConnect: true, connectionName: 'interop', maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  await check('connects, asks INFO whether the server is ready, and has the name that it sets', async () => {
    await redis.connect();
    assert.equal(redis.status, 'ready');
    assert.equal(await redis.client('GETNAME'), 'interop');
  });
  await check('strings, counters, bytes', async () => {
    assert.equal(await redis.set('io:s', 'v', 'PX', 100000), 'OK');
    assert.equal(await redis.get('io:s'), 'v');
    assert.equal(await redis.get('io:none'), null);
    await redis.del('io:n');
    assert.equal(await redis.incrby('io:n', 5), 5);
    const every = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    await redis.set('io:b', every);
    assert.deepEqual(await redis.getBuffer('io:b'), every);
  });
  await check('hashes, lists and sets', async () => {
    await redis.del('io:h', 'io:l', 'io:z');
    assert.equal(await redis.hset('io:h', { a: 1, b: 2 }), 2);
    assert.deepEqual(await redis.hgetall('io:h'), { a: '1', b: '2' });
    assert.equal(await redis.rpush('io:l', 'x', 'y'), 2);
    assert.deepEqual(await redis.lrange('io:l', 0, -1), ['x', 'y']);
    assert.equal(await redis.sadd('io:z', 'm', 'm'), 1);
  });
  await check('a pipeline of 1000 commands, an error among them', async () => {
    const pipeline = redis.pipeline();
    for (let at = 0; at < 999; at += 1) pipeline.set(`io:p${at}`, at);
    pipeline.lpush('io:s', 'x');
    const replies = await pipeline.exec();
    assert.equal(replies.filter(([error, reply]) => !error && reply === 'OK').length, 999);
    assert.match(replies[999][0].message, /^WRONGTYPE/);
  });
  await check('a transaction', async () => {
    assert.deepEqual(await redis.multi().set('io:t', 1).incr('io:t').exec(), [[null, 'OK'], [null, 2]]);
  });
  await check('errors have their words', async () => {
    await assert.rejects(redis.call('NOSUCH'), /unknown command/);
    await assert.rejects(redis.call('GET'), /wrong number of arguments/);
  });
  await check('connects again after its connection was closed', async () => {
    redis.disconnect(true);
    await new Promise((ready) => redis.once('ready', ready));
    assert.equal(await redis.get('io:s'), 'v');
  });
  await check('leaves by QUIT', async () => {
    assert.equal(await redis.quit(), 'OK');
  });
  process.exit(failed ? 1 : 0);
}

main();
