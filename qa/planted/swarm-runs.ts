import { writeFileSync } from 'node:fs';
import { reasonText } from '../../scenarios/explore/reason.ts';
import { sizeOf } from '../../scenarios/explore/smaller.ts';
import { swarm } from '../../scenarios/explore/swarm.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';

/**
 * Plays runs of the swarm in the sources that this file was copied into until one fails, and prints that one as
 * `boxtwin swarm --json` does. One process: the CPU time of the runs is what it has used.
 * Arguments: runs, seed, CPU time in seconds after which no run begins, runs to make it smaller, where to write it.
 */
const [runs = '', seed = '', cpuS = '', shrinkRuns = '', out = ''] = process.argv.slice(2);
let usedS = 0;
const noteUsed = (): void => {
  const { user, system } = process.cpuUsage();
  usedS = Math.round((user + system) / 1e6);
};
const { runs: ended, found } = await swarm({
  runs: Number(runs),
  seed: Number(seed),
  shrinkRuns: Number(shrinkRuns),
  isOver: () => {
    noteUsed();
    return usedS >= Number(cpuS);
  },
  progress: ({ phase }) => {
    if (phase === 'end') noteUsed();
  },
  runner: runVirtual,
});
const [one] = found;
if (one !== undefined) writeFileSync(out, writeDocument(one.smallest.document));
const printed = one && {
  reason: reasonText(one.smallest.reason),
  checker: one.smallest.reason.checker,
  size: { first: sizeOf(one.first.document), smallest: sizeOf(one.smallest.document) },
};
process.stdout.write(`${JSON.stringify({ runs: ended, cpuS: usedS, ...(printed && { found: printed }) })}\n`);
