import { readReadyFile } from '../../../deployment/directory/address-files.ts';
import { addressOf } from '../../../deployment/directory/running-addresses.ts';
import { SERVICE_VARIABLES } from '../../../deployment/shared/client-variables.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { shellWord } from '../../../world/shell-word.ts';

export interface EnvOptions {
  readonly data: string;
  /** `NAME=value` lines, as container runtimes read them. */
  readonly plain: boolean;
  readonly json: boolean;
}

/**
 * Prints how the running service is reached, as environment variables: `eval "$(boxtwin env)"`. What the service does
 * not have, such as a console, is left out. Throws a `CommandError` where none runs.
 */
export async function env(options: EnvOptions): Promise<void> {
  await addressOf('api', { data: options.data, takesAddress: false });
  const ready: Readonly<Record<string, unknown>> | undefined = await readReadyFile(options.data);
  if (ready === undefined)
    throw new CommandError(`${options.data} names no running service: name its data directory with --data.`);
  const values = Object.entries(SERVICE_VARIABLES).flatMap(([name, field]) => {
    const value = ready[field];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  process.stdout.write(
    options.json
      ? `${JSON.stringify(Object.fromEntries(values))}\n`
      : values
          .map(([name, value]) =>
            options.plain ? `${name}=${value}\n` : `export ${name}=${shellWord(value)}\n`,
          )
          .join(''),
  );
}
