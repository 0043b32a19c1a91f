import { CommandError } from '../shared/command-error.ts';
import type { Judgement } from './check.ts';
import { heapFacts, localPortsFacts, memoryFacts, openFilesFacts } from './fleet-facts.ts';
import { judgeHeap, judgeLocalPorts, judgeMemory, judgeOpenFiles, judgeSize } from './fleet-judges.ts';
import type { FleetSize } from './needs.ts';

/** The fast prerequisite checks of a fleet: rows of `doctor`, which `up` also runs before it starts a large fleet. */
export const FLEET_CHECKS: readonly {
  readonly name: string;
  readonly judged: (size: FleetSize) => Judgement;
}[] = [
  { name: 'fleet', judged: judgeSize },
  { name: 'open files', judged: (size) => judgeOpenFiles(size, openFilesFacts()) },
  { name: 'local ports', judged: (size) => judgeLocalPorts(size, localPortsFacts()) },
  { name: 'memory', judged: (size) => judgeMemory(size, memoryFacts()) },
  { name: 'heap', judged: (size) => judgeHeap(size, heapFacts()) },
];

/**
 * Checks whether a large fleet can work here, before any of it is started. Returns a sentence for each warning; throws
 * a `CommandError` with value, bound and remedy of all failures.
 */
export function refuseTooLargeFleet(
  size: FleetSize,
  judgements: () => readonly Judgement[] = () => FLEET_CHECKS.map(({ judged }) => judged(size)),
): readonly string[] {
  const all = judgements();
  const sentence = ({ text, remedy }: Judgement) => (remedy === undefined ? text : `${text} ${remedy}`);
  const failures = all.filter(({ verdict }) => verdict === 'failed');
  if (failures.length > 0) throw new CommandError(failures.map(sentence).join('\n'));
  return all.filter(({ verdict }) => verdict === 'warning').map(sentence);
}
