import process from 'node:process';
import { Client } from 'pg';
import type { Store } from '../../backend/store/port/store.ts';
import { openPostgresStore } from '../../backend/store/postgres/postgres-store.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { Figure } from '../measure/figures.ts';
import { bareWriter } from './bare.ts';
import { firstState, load, Writer } from './batches.ts';

const url = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1/test';

/**
 * Records a second into PostgreSQL by the commit of ingest, compared with bare prepared statements that write the same
 * rows into the same tables, in one transaction a batch too. Two writers at a time.
 */
export async function store(count: number): Promise<Figure | string> {
  const probe = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  const { host, port } = probe;
  try {
    await probe.connect();
  } catch (error) {
    return `no PostgreSQL at ${host}:${port}: ${String(error)}`;
  }
  const name = `boxtwin_bench_${process.pid}`;
  await probe.query(`create database ${name}`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  const rounds: { bare: number; ours: number }[] = [];
  try {
    const opened = await openPostgresStore({
      url: place.href,
      time: realTime(),
      chance: realRandom(1).stream('retries'),
    });
    for (let round = 0; round <= count; round += 1) {
      const bare = await measureBare(place.href);
      const ours = await measureOurs(place.href, opened);
      // The first prepares everything.
      if (round > 0) rounds.push({ bare, ours });
    }
    await opened.close();
  } finally {
    await probe.query(`drop database if exists ${name} with (force)`);
    await probe.end();
  }
  return { name: 'records into PostgreSQL, 50 in a batch', unit: 'records/s', rounds, aim: 0.8 };
}

async function measureBare(place: string): Promise<number> {
  const writers = await prepared(place);
  const bare = await Promise.all(writers.map(() => bareWriter(place)));
  const rate = await measure(writers, async (writer, index, messageId) => {
    await bare[index]?.write(writer.batch(messageId));
  });
  await Promise.all(bare.map((one) => one.end()));
  return rate;
}

async function measureOurs(place: string, { ingest }: Store): Promise<number> {
  const writers = await prepared(place);
  return measure(writers, async (writer, _, messageId) => {
    const { stale } = await ingest.commit(writer.batch(messageId));
    if (stale.length > 0) throw new Error('Nobody else writes these boxes.');
  });
}

/** Boxes as they are before the first batch, and nothing else. */
async function prepared(place: string): Promise<readonly Writer[]> {
  const writers = Array.from({ length: load.writers }, (_, index) => new Writer(index));
  const client = new Client({ connectionString: place });
  await client.connect();
  await client.query('truncate boxes, records, outbox');
  await client.query(
    `insert into boxes (id, version, secret_hash, generation, journal, state)
    select id, 1, repeat('0', 64), 2, '{"epoch":0,"contiguous":0,"ranges":[]}', $2 from unnest($1::text[]) as id`,
    [writers.flatMap(({ boxIds }) => boxIds), firstState()],
  );
  await client.query('vacuum analyze boxes');
  await client.query('checkpoint');
  await client.end();
  return writers;
}

async function measure(
  writers: readonly Writer[],
  write: (writer: Writer, index: number, messageId: () => string) => Promise<void>,
): Promise<number> {
  let messages = 0;
  const messageId = () => {
    messages += 1;
    return messages.toString().padStart(26, '0');
  };
  const from = performance.now();
  await Promise.all(
    writers.map(async (writer, index) => {
      for (let batch = 0; batch < load.batchesOfWriter; batch += 1) await write(writer, index, messageId);
    }),
  );
  return messages / ((performance.now() - from) / 1_000);
}
