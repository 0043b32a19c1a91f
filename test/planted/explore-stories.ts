import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { explore } from '../../scenarios/explore/explore.ts';
import { sizeOf } from '../../scenarios/explore/smaller.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { runVirtual } from '../../scenarios/testbed/virtual/run-virtual.ts';

/**
 * Plays `explore` of these stories one after the other, in the sources that this file was copied into, until one fails, and
 * prints that one as `boxtwin scenario explore --json` does. One process: thirty of them would begin for longer than they play.
 * Arguments: draws of each story, seed, where to write the smallest scenario, stories.
 */
const [draws = '', seed = '', out = '', ...stories] = process.argv.slice(2);
for (const file of stories) {
  const reading = readScenario(readFileSync(file, 'utf8'), file);
  if (!reading.ok) throw new Error(`${file}: ${reading.problems[0]?.message}`);
  if (reading.scenario.vary.length === 0) continue;
  const { found } = await explore({
    ...reading,
    runs: Number(draws),
    seed: Number(seed),
    runner: runVirtual,
  });
  if (found === undefined) continue;
  const { first, smallest } = found;
  process.stdout.write(
    `${JSON.stringify({
      story: basename(file),
      found: {
        reason: smallest.reason.text,
        checker: smallest.reason.checker,
        size: { first: sizeOf(first.document), smallest: sizeOf(smallest.document) },
      },
    })}\n`,
  );
  writeFileSync(out, writeDocument(smallest.document));
  process.exit(0);
}
process.stdout.write('{}\n');
