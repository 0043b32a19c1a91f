import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { limits } from '../shared/limits.ts';
import { whole } from './option-values.ts';

/** `--jobs`. It has no default here: the help is the same on every machine. */
export function jobsOption(): Option {
  return new Option(
    '-j, --jobs <n>',
    'how many runs at once; what comes out does not depend on it (default: one for each core)',
  ).argParser(whole(1, limits.jobs));
}

/** The number of concurrent runs: as given, or else one for each core that this process may use. */
export function jobsOf(given: number | undefined): number {
  return given ?? Math.min(availableParallelism(), limits.jobs);
}
