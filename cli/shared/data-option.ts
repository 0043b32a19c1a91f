import { variableOf } from '../../deployment/shared/setting-names.ts';
import { shellWord } from '../../world/shell-word.ts';

/** The data directory that neither `--data` nor its variable names, for every command. */
export const USUAL_DATA = '.boxtwin';

/** The variable of `--data`, of every command that has it. */
export const DATA_VARIABLE = variableOf('data');

/** The data directory without `--data`. An empty variable counts as unset. */
export function usualData(): string {
  return process.env[DATA_VARIABLE] || USUAL_DATA;
}

/**
 * What leads a command to paste to the same data directory: ` --data X`, or nothing for the usual one, where the
 * variable names no other.
 */
export function dataOption(data: string): string {
  return data === USUAL_DATA && usualData() === USUAL_DATA ? '' : ` --data ${shellWord(data)}`;
}
