import { chmodSync, lstatSync, writeFileSync } from 'node:fs';
import { credentialsCsv } from '../../deployment/input/credentials-file.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { writeErrorText } from '../../deployment/shared/user-errors.ts';
import type { BoxPlan } from '../../simulator/box-plan.ts';

/**
 * Writes a file that only its owner may read: a new one, or one that was there with other permissions. Throws a
 * `CommandError` where it cannot be written.
 */
export function writeSecretFile(path: string, text: string): void {
  try {
    // Before its content: nobody reads it meanwhile.
    writeFileSync(path, '', { mode: 0o600 });
    if (lstatSync(path).isFile()) chmodSync(path, 0o600);
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${writeErrorText(error)}`);
  }
}

/**
 * Writes boxes with their passwords as CSV, to stdout where the path is `-`. Throws a `CommandError` where the file
 * cannot be written.
 */
export function writeCredentials(path: string, boxes: readonly BoxPlan[]): void {
  if (path === '-') process.stdout.write(credentialsCsv(boxes));
  else writeSecretFile(path, credentialsCsv(boxes));
}
