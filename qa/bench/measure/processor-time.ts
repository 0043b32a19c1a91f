import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts in these for every program (USER_HZ, proc(5)). */
const TICKS_PER_S = 100;

/**
 * User and system time of all threads of a process so far, in seconds (proc(5), fields 14 and 15 of stat); undefined where
 * there is no such process, or no /proc.
 */
export function processorSecondsOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program comes before, in brackets, and may hold spaces.
  const [, rest = ''] = readFileSync(file, 'utf8').split(') ');
  const fields = rest.split(' ').map(Number);
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) / TICKS_PER_S;
}

/** The same of a process and of all that it has started, directly or not; undefined where there is no /proc. */
export function processorSecondsWithChildren(pid: number | undefined): number | undefined {
  const own = processorSecondsOf(pid);
  if (own === undefined) return undefined;
  const tasks = `/proc/${pid}/task`;
  const children = readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.reduce((sum, child) => sum + (processorSecondsWithChildren(child) ?? 0), own);
}
