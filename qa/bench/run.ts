import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scriptOptions } from '../../test/support/run/script-options.ts';
import { consumeMany, consumeOne } from './amqp/amqp-consume.ts';
import { outboxPublisher } from './amqp/outbox-publisher.ts';
import { backends } from './backends/backends.ts';
import { bulkRequest } from './commands/bulk-request.ts';
import { commands } from './commands/commands.ts';
import { commandsSaturated } from './commands/commands-saturated.ts';
import { compare, NotComparable } from './compare/compare.ts';
import { comparisonText } from './compare/comparison-text.ts';
import { LEAST_PAIRS } from './compare/verdict.ts';
import { consolePage } from './console/console.ts';
import { consoleFirstView } from './console/first-view.ts';
import { boxBytes } from './fleet/box-bytes.ts';
import { start } from './fleet/start.ts';
import { stories } from './fleet/stories.ts';
import { swarmJobs } from './fleet/swarm-jobs.ts';
import { virtualBulk, virtualDay, virtualLoop } from './fleet/virtual.ts';
import { frameToMessage } from './frames/frame-to-message.ts';
import { frames } from './frames/frames.ts';
import { framesFlat } from './frames/frames-flat.ts';
import { loadAverage, machineText } from './measure/machine.ts';
import { type Entry, recorded, tableText } from './measure/record.ts';
import { type Result, rowsOf } from './measure/table.ts';
import { readOne, readPage } from './reads/reads.ts';
import { store } from './store/store.ts';

const BENCHES: readonly {
  readonly name: string;
  /** A text: why it was skipped. */
  run(rounds: number): Promise<Result | string>;
}[] = [
  { name: 'frames', run: (rounds) => frames({ rounds, broker: 'embedded', boxes: 100 }) },
  { name: 'frames-mosquitto', run: (rounds) => frames({ rounds, broker: 'mosquitto', boxes: 100 }) },
  { name: 'frames-flat', run: framesFlat },
  { name: 'frame-to-message', run: frameToMessage },
  { name: 'courier', run: outboxPublisher },
  { name: 'store', run: store },
  { name: 'backends', run: (rounds) => backends({ rounds, vehicles: 200, counts: [1, 2, 4] }) },
  {
    name: 'backends-grown',
    run: (rounds) => backends({ rounds, vehicles: 100, isForEach: true, counts: [1, 2, 4] }),
  },
  { name: 'backends-600', run: (rounds) => backends({ rounds, vehicles: 600, counts: [1, 4] }) },
  { name: 'consume-one', run: consumeOne },
  { name: 'consume-many', run: consumeMany },
  { name: 'read-page', run: readPage },
  { name: 'read-one', run: readOne },
  { name: 'bulk-request', run: bulkRequest },
  { name: 'commands', run: (rounds) => commands({ rounds, vehicles: 300, ratesPerS: [50, 200, 500] }) },
  { name: 'commands-1000', run: (rounds) => commands({ rounds, vehicles: 1_000, ratesPerS: [500] }) },
  {
    name: 'commands-1000-parts',
    run: (rounds) => commands({ rounds, vehicles: 1_000, ratesPerS: [500], processes: 'several' }),
  },
  { name: 'commands-saturated', run: commandsSaturated },
  { name: 'swarm', run: swarmJobs },
  { name: 'stories', run: stories },
  { name: 'virtual-loop', run: virtualLoop },
  { name: 'virtual-day', run: virtualDay },
  { name: 'virtual-bulk', run: virtualBulk },
  { name: 'box-bytes-memory', run: () => boxBytes('memory') },
  { name: 'box-bytes-memory-100000', run: () => boxBytes('large') },
  { name: 'box-bytes-sockets', run: () => boxBytes('sockets') },
  { name: 'console', run: consolePage },
  { name: 'console-cold', run: (rounds) => consoleFirstView('cold', rounds) },
  { name: 'console-warm', run: (rounds) => consoleFirstView('warm', rounds) },
  { name: 'start-first', run: (rounds) => start(25, 'first', 2, rounds) },
  { name: 'start-second', run: (rounds) => start(25, 'second', 1, rounds) },
  { name: 'start-1000-first', run: (rounds) => start(1_000, 'first', 4, rounds) },
  { name: 'start-1000-second', run: (rounds) => start(1_000, 'second', 4, rounds) },
];
const MOST_ROUNDS = 100;
const PAGE = fileURLToPath(new URL('./results.md', import.meta.url));

/** What the script takes, and does. */
const USAGE = {
  name: 'bench',
  line: '[names] [--rounds 5] [--json] [--record] [--compare REVISION [--margin 5]]',
  does: `Measures; qa/bench/README.md lists the benches. --compare runs them here and in a checkout of the revision, in
alternation, and says what is slower beyond noise by more than --margin percent: exit code 1.`,
};
const { values, positionals: wanted } = scriptOptions(USAGE, {
  rounds: { type: 'string', default: '5' },
  json: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  compare: { type: 'string' },
  margin: { type: 'string', default: '5' },
});
const unknown = wanted.find((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown !== undefined)
  refuse(`There is no bench ${unknown}; there are ${BENCHES.map((bench) => bench.name).join(', ')}.`);
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1 || rounds > MOST_ROUNDS)
  refuse(`--rounds is ${JSON.stringify(values.rounds)}: give a whole number from 1 to ${MOST_ROUNDS}.`);

const chosen = BENCHES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (values.compare === undefined) await measure();
else
  await compareWith(values.compare).catch((error: unknown) => {
    if (error instanceof NotComparable) refuse(error.message);
    throw error;
  });

async function compareWith(revision: string): Promise<void> {
  if (values.record) refuse('--record is of one revision; give it without --compare.');
  if (rounds < LEAST_PAIRS) refuse(`--compare needs ${LEAST_PAIRS} rounds or more; --rounds is ${rounds}.`);
  const marginPercent = Number(values.margin);
  if (!(marginPercent >= 0 && marginPercent <= 100))
    refuse(`--margin is ${JSON.stringify(values.margin)}: give percent from 0 to 100.`);
  const names = chosen.map(({ name }) => name);
  for await (const one of compare(names, { revision, rounds, marginPercent })) {
    process.stdout.write(`${values.json ? JSON.stringify(one) : comparisonText(one, revision)}\n`);
    if ('is' in one && one.is === 'slower') process.exitCode = 1;
  }
}

async function measure(): Promise<void> {
  for (const bench of chosen) await measureOne(bench);
}

async function measureOne(bench: (typeof BENCHES)[number]): Promise<void> {
  const load = loadAverage();
  const date = new Date().toISOString().slice(0, 10);
  const result = await bench.run(rounds);
  if (typeof result === 'string') {
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ bench: bench.name, skipped: result })}\n`
        : `${bench.name}: skipped, ${result}\n`,
    );
    return;
  }
  const entry: Entry = { bench: bench.name, date, loadAverage: load, rows: rowsOf(result) };
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ bench: bench.name, date, machine: machineText(), loadAverage: load, ...result })}\n`
      : `${tableText(entry)}\n`,
  );
  if (!values.record) return;
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  writeFileSync(PAGE, recorded(page, machineText(), entry));
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}
