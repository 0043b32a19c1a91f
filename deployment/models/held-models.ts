import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { ownModels } from '../../protocol/models/known-models.ts';
import { CommandError } from '../shared/command-error.ts';

/**
 * A fleet begins with a vehicle of each of the user's own models, so other models make another fleet: the data in the
 * boxes' flash and in the service's store would be of other vehicles. The names of a new fleet are written to `file`;
 * those of an existing one are compared. Throws a `CommandError` where they differ, or the file cannot be used.
 */
export function holdOwnModels(file: string, isNewFleet: boolean): void {
  const names = ownModels().map(({ name }) => name);
  if (isNewFleet) {
    // Shards may start at the same time, each with the same names.
    const written = `${file}.${process.pid}.new`;
    writeFileSync(written, `${JSON.stringify(names)}\n`, { mode: 0o600 });
    renameSync(written, file);
    return;
  }
  const held = readNames(file);
  if (held.join() === names.join()) return;
  throw new CommandError(
    `${file} says that this fleet began with ${told(held)}, and this start has ${told(names)}: its vehicles would be others. ` +
      'Use the same --models as before, start over with --fresh, or use another directory with --data.',
  );
}

/** A fleet of an earlier version has none of its own. */
function readNames(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new CommandError(`${file} is not what this boxtwin wrote. Start over with --fresh.`);
  }
}

function told(names: readonly string[]): string {
  return names.length === 0 ? 'no models of your own' : `the models ${names.join(', ')}`;
}
