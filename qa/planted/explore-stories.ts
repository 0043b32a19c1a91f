import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readScenarioFiles } from '../../cli/commands/scenario/scenario-files.ts';
import { explore } from '../../scenarios/explore/explore.ts';
import { reasonText } from '../../scenarios/explore/reason.ts';
import { sizeOf } from '../../scenarios/explore/smaller.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';

/**
 * Plays `explore` of these stories one after the other, in the sources that this file was copied into, until one fails, and
 * prints that one as `boxtwin scenario explore --json` does. One process: thirty of them would begin for longer than they play.
 * Arguments: draws of each story, seed, where to write the smallest scenario, stories.
 */
const [draws = '', seed = '', out = '', ...stories] = process.argv.slice(2);
for (const given of readScenarioFiles(stories).files) {
  const { file, scenario, readFile } = given;
  if (scenario.vary.length === 0) continue;
  const { found } = await explore({
    ...given,
    runs: Number(draws),
    seed: Number(seed),
    runner: (one, options) => runVirtual(one, { ...options, readFile }),
  });
  if (found === undefined) continue;
  const { first, smallest } = found;
  process.stdout.write(
    `${JSON.stringify({
      story: basename(file),
      found: {
        reason: reasonText(smallest.reason),
        checker: smallest.reason.checker,
        size: { first: sizeOf(first.document), smallest: sizeOf(smallest.document) },
      },
    })}\n`,
  );
  writeFileSync(out, writeDocument(smallest.document));
  process.exit(0);
}
process.stdout.write('{}\n');
