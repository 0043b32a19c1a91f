import { readFileSync, writeFileSync } from 'node:fs';
import { openThreadedRuns } from '../../deployment/jobs/threaded-runs.ts';
import { scriptOptions } from '../../test/support/run/script-options.ts';
import { GOLDEN_RUNS, type GoldenRow, type GoldenRows, goldenRows } from './golden-runs.ts';

/** What the script takes, and does. */
const USAGE = {
  name: 'golden',
  line: '[--only TEXT] [--record] [--jobs 2]',
  does: `Runs every recorded run again and prints what differs from qa/golden/runs.json: exit code 1. --only takes the runs
whose name contains TEXT; --record writes the file.`,
};
const { values } = scriptOptions(USAGE, {
  record: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  jobs: { type: 'string', default: '2' },
});

const file = new URL('runs.json', import.meta.url);
const recorded: GoldenRows = readRecorded();
const names = GOLDEN_RUNS.filter((name) => name.includes(values.only));
const threads = openThreadedRuns({ jobs: Number(values.jobs) });
const beganMs = performance.now();
let ended = 0;
const differing: string[] = [];

const rows = await goldenRows(names, threads, (name, row) => {
  ended += 1;
  const difference = differenceOf(name, row);
  if (difference !== undefined) differing.push(name);
  if (difference !== undefined && !values.record) console.log(`${name}: ${difference}`);
  if (ended % 20 === 0) console.error(`${ended} of ${names.length}, ${seconds()} s`);
}).finally(() => threads.endAll());

if (values.record) {
  const all = { ...recorded, ...rows };
  const kept = GOLDEN_RUNS.flatMap((name) => {
    const row = all[name];
    return row === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(row)}`];
  });
  writeFileSync(file, `{\n${kept.join(',\n')}\n}\n`);
}
console.log(`${names.length} runs in ${seconds()} s: ${differing.length} differ from the recorded ones`);
if (differing.length > 0 && !values.record) process.exitCode = 1;

function readRecorded(): GoldenRows {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GoldenRows;
  } catch (error) {
    if (values.record) return {};
    throw error;
  }
}

function differenceOf(name: string, { verdict, hash, seen }: GoldenRow): string | undefined {
  const before = recorded[name];
  if (before === undefined) return 'is not recorded';
  if (before.verdict !== verdict) return `the verdict was ${before.verdict}, and is ${verdict}`;
  if (before.seen !== seen) return 'users see something else: answers, messages, findings or expectations';
  return before.hash === hash ? undefined : 'the trace has another hash; users see the same';
}

function seconds(): number {
  return Math.round((performance.now() - beganMs) / 1_000);
}
