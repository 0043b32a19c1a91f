import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { plannedLengthMs } from '../../scenarios/run/planned-length.ts';
import { plantedBugs } from './bug.ts';
import { COMMAND, copyWith, json, type Printed, written } from './find.ts';
import { limits } from './limits.ts';

/**
 *     node qa/planted/over-sockets.ts DIR [how many]
 *
 * DIR holds the smallest failing scenarios of planted bugs (`npm run planted -- --keep DIR`). Each is run over sockets
 * with its bug; of what fails there a scenario is made from the trace, and played in the virtual world. Prints whether it
 * fails again, and by what.
 */
/** It could not be played at all: a word of it is there in the virtual world alone. */
const REFUSED = 'not over sockets';
const ENDS: ReadonlySet<string> = new Set(['failed', 'stuck', 'crashed']);
const FOLDER = dirname(fileURLToPath(import.meta.url));
const ROOT = join(FOLDER, '../..');
const [kept = '', most = String(limits.overSockets)] = process.argv.slice(2);
const bugs = plantedBugs(FOLDER, ['first']);
const found = bugs.flatMap((bug) => {
  const folder = join(kept, dirname(bug.name));
  const name = `${bug.name.split('/')[1]}.swarm.yaml`;
  if (!readdirSync(folder).includes(name)) return [];
  const text = readFileSync(join(folder, name), 'utf8');
  const read = readScenario(text, name);
  return read.ok && plannedLengthMs(read.scenario) <= limits.overSocketsMs ? [{ bug, text }] : [];
});
process.stdout.write('| bug | over sockets | made from the trace, in the virtual world |\n|---|---|---|\n');
const counts = { tried: 0, failed: 0, again: 0 };
for (const { bug, text } of found) {
  if (counts.failed === Number(most)) break;
  counts.tried += 1;
  const copy = copyWith(bug, ROOT);
  try {
    written(copy, 'failing.yaml', text);
    const real = await json(copy.folder, [
      COMMAND,
      'scenario',
      'run',
      'failing.yaml',
      '--world',
      'real',
      '--trace',
      'trace.ndjson',
      '--json',
    ]);
    const failed = failureOf(real);
    let again: string | undefined;
    if (failed !== undefined && failed !== REFUSED) {
      counts.failed += 1;
      await json(copy.folder, [COMMAND, 'scenario', 'from-trace', 'trace.ndjson', '--out', 'again.yaml']);
      again = failureOf(await json(copy.folder, [COMMAND, 'scenario', 'run', 'again.yaml', '--json']));
      if (again === failed) counts.again += 1;
    }
    process.stdout.write(
      `| ${bug.name} | ${failed ?? 'passes'} | ${again ?? (failed === undefined || failed === REFUSED ? '' : 'passes')} |\n`,
    );
  } finally {
    copy.remove();
  }
}
process.stderr.write(
  `${counts.tried} tried, ${counts.failed} failed over sockets, ${counts.again} of them again in the virtual world.\n`,
);

/** The checker or the expectation by which a run failed. */
function failureOf({ scenarios: [one] = [] }: Printed): string | undefined {
  if (one?.verdict === 'passed') return undefined;
  if (one === undefined || !ENDS.has(one.verdict ?? '')) return REFUSED;
  const checker = one.checkers?.find(({ findings = [] }) => findings.length > 0)?.checker;
  if (checker !== undefined) return checker;
  return one.expectations?.some(({ met }) => !met) === true ? 'an expectation' : (one.verdict ?? REFUSED);
}
