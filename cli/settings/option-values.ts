import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { DATA_VARIABLE, USUAL_DATA, usualData } from '../shared/data-option.ts';
import { path, wholeNumber } from './values.ts';

/**
 * Parses the argument of an option by this schema; an option that may be repeated extends the previous list. Throws the
 * error that commander shows with the option.
 */
export function argument<Value>(
  schema: z.ZodType<Value>,
  read: (text: string) => unknown = (text) => text,
): (text: string, before?: unknown) => Value {
  return (text, before) => {
    const value = read(text);
    const isFurther = Array.isArray(value) && Array.isArray(before);
    const parsed = schema.safeParse(isFurther ? [...before, ...value] : value);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'It cannot be used.');
  };
}

/**
 * The former spelling of an option: accepted, and not shown. What it takes is the value of the option that has the name
 * `now`, such as `clientId`.
 */
export function formerly(
  flags: string,
  now: string,
  read?: (text: string, before: unknown) => unknown,
): Option {
  const option = new Option(flags).hideHelp();
  option.attributeName = () => now;
  return read === undefined ? option : option.argParser(read);
}

/** The source of an address that is not given, for the help of a command. */
export const WRITTEN_ADDRESS = '(default: the one that its part has written to the data directory)';

/** `--data` of every command that has no settings: its default is that of the variable, or the usual directory. */
export function dataDirectory(help = 'data directory of the running "up", or of its parts'): Option {
  return new Option('--data <dir>', help)
    .argParser(argument(path))
    .default(usualData(), `that of ${DATA_VARIABLE}, or ${USUAL_DATA}`);
}

/** `--quiet`: commands that print their progress. */
export function quietOption(): Option {
  return new Option('-q, --quiet', 'no progress on stderr').default(false);
}

/** `--force` */
export const FORCE_HELP =
  'use a given address even if it belongs to another installation than the data directory';

/** A whole number within these bounds. */
export function whole(minimum: number, maximum: number): (text: string) => number {
  const read = argument(wholeNumber(minimum, maximum), (text) =>
    /^\d{1,10}$/.test(text) ? Number(text) : text,
  );
  return (text) => read(text);
}
