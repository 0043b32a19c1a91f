import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** `name`: the script of npm. `line`: its arguments in one line. `does`: what it does, in a few lines. */
export interface ScriptUsage {
  readonly name: string;
  readonly line: string;
  readonly does: string;
}

/**
 * The arguments of a script of this repository. With `--help` it prints its usage and ends with 0; with an option that it
 * does not have it says which one and ends with 2, before anything is begun.
 */
export function scriptOptions<const Given extends Options>(usage: ScriptUsage, options: Given) {
  const text = `npm run ${usage.name} -- ${usage.line}\n\n${usage.does}\n`;
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } } as Given & { help: { type: 'boolean' } },
    });
    if ((parsed.values as { readonly help?: boolean }).help !== true) return parsed;
    process.stdout.write(text);
    process.exit(0);
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('. To specify', 1);
    process.stderr.write(`${first}.\n\n${text}`.replace('..', '.'));
    process.exit(2);
  }
}
