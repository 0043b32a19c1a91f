import process from 'node:process';
import { Client } from 'pg';
import type { IngestBatch } from '../../../backend/store/port/ingest-store.ts';
import { openPostgresStore } from '../../../backend/store/postgres/store.ts';
import { realRandom } from '../../../world/random/real-random.ts';
import { realTime } from '../../../world/time/real-time.ts';
import type { Figure } from '../measure/figures.ts';
import { connectPostgres, dropDatabase, newDatabase } from '../measure/postgres.ts';
import { bareWriter } from './bare.ts';
import { firstState, load, Writer } from './batches.ts';

/**
 * Records a second into PostgreSQL by the commit of ingest, compared with bare prepared statements that write the same
 * rows into the same tables of another database, in one transaction a batch too. Two writers at a time; the two take turns
 * within a round, so that both meet what else the machine has to do.
 */
export async function store(count: number): Promise<Figure | string> {
  const server = await connectPostgres();
  if (typeof server === 'string') return server;
  const names = { bare: `boxtwin_bench_bare_${process.pid}`, ours: `boxtwin_bench_ours_${process.pid}` };
  const rounds: { bare: number; ours: number }[] = [];
  try {
    const bare = await openBare(await newDatabase(server, names.bare));
    const ours = await openOurs(await newDatabase(server, names.ours));
    for (let round = 0; round <= count; round += 1) {
      const rates = await measure(bare, ours);
      // The first prepares everything.
      if (round > 0) rounds.push(rates);
    }
    await bare.end();
    await ours.end();
  } finally {
    for (const name of Object.values(names)) await dropDatabase(server, name);
    await server.end();
  }
  return { name: 'records into PostgreSQL, 50 in a batch', unit: 'records/s', rounds, aim: 0.8 };
}

/** One of the two that are compared. */
interface Contender {
  readonly place: string;
  /** One function for each writer. */
  readonly writes: readonly ((batch: IngestBatch) => Promise<void>)[];
  end(): Promise<void>;
}

function openStore(place: string) {
  return openPostgresStore({ url: place, time: realTime(), chance: realRandom(1).stream('retries') });
}

async function openBare(place: string): Promise<Contender> {
  // For its tables.
  await (await openStore(place)).close();
  const writers = await Promise.all(Array.from({ length: load.writers }, () => bareWriter(place)));
  return {
    place,
    writes: writers.map((one) => (batch) => one.write(batch)),
    end: async () => void (await Promise.all(writers.map((one) => one.end()))),
  };
}

async function openOurs(place: string): Promise<Contender> {
  const opened = await openStore(place);
  const write = async (batch: IngestBatch) => {
    const { stale } = await opened.ingest.commit(batch);
    if (stale.length > 0) throw new Error('Nobody else writes these boxes.');
  };
  return { place, writes: Array.from({ length: load.writers }, () => write), end: () => opened.close() };
}

async function measure(
  bare: Contender,
  ours: Contender,
): Promise<{ readonly bare: number; readonly ours: number }> {
  const bareWriters = await prepared(bare.place);
  const oursWriters = await prepared(ours.place);
  const tookMs = { bare: 0, ours: 0 };
  for (let turn = 0; turn < load.turns; turn += 1) {
    tookMs.bare += await takeTurn(bareWriters, bare);
    tookMs.ours += await takeTurn(oursWriters, ours);
  }
  const records = load.writers * load.turns * load.batchesOfTurn * load.boxesOfBatch;
  return { bare: (records * 1_000) / tookMs.bare, ours: (records * 1_000) / tookMs.ours };
}

/** All writers at a time. How long it took, in milliseconds. */
async function takeTurn(writers: readonly Writer[], { writes }: Contender): Promise<number> {
  const from = performance.now();
  await Promise.all(
    writers.map(async (writer, index) => {
      for (let batch = 0; batch < load.batchesOfTurn; batch += 1) await writes[index]?.(writer.batch());
    }),
  );
  return performance.now() - from;
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
