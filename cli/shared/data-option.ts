import { shellWord } from '../../world/shell-word.ts';

/** The default of `--data`, for every command. */
export const USUAL_DATA = '.boxtwin';

/** What leads a command to paste to the same data directory: ` --data X`, or nothing for the default. */
export function dataOption(data: string): string {
  return data === USUAL_DATA ? '' : ` --data ${shellWord(data)}`;
}
