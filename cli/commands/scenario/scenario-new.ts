import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { writeErrorText } from '../../../deployment/shared/user-errors.ts';
import { shellWord } from '../../../world/shell-word.ts';
import { storyNamed } from './scenario-files.ts';

/** A scenario that passes, with a comment at each part that its author changes. */
const template = (name: string): string => `# npx boxtwin scenario run ${name}.yaml
# Words and values: npx boxtwin scenario schema, and docs/scenarios.md.
name: ${name}
about: A car loses coverage while it drives; what it recorded arrives afterwards.
seed: 1
# The vehicles. --seed N draws another fleet of the same kind.
fleet:
  - { count: 2, model: petrol-compact, driving: true }
# What happens, in order of time. "at" counts from the beginning.
steps:
  - { at: 1m, weather: { coverage: none }, for: 90s }
  # A call of the API, and the answer that is expected.
  - at: 90s
    call: { command: unlock-central-lock }
    expect: { status: 504, problem: /problems/vehicle/no-connection }
  # "within": the expectation holds some time before the time is up.
  - { within: 3m, expect: { message: VehicleStateReceived, with: { occurred_during: weather } } }
# Rules that hold in every run.
always: [nothing-lost, nothing-doubled, order-per-box, twin-is-fold]
`;

/**
 * Writes a new scenario: a template that passes, or a copy of a shipped story. Throws a `CommandError` where the file
 * exists or cannot be written.
 */
export function scenarioNew(file: string, { from }: { readonly from?: string }): void {
  const name = basename(file).replace(/\.ya?ml$/i, '');
  const path = /\.ya?ml$/i.test(file) ? file : `${file}.yaml`;
  if (existsSync(path)) throw new CommandError(`${path} exists already, and is left as it is.`);
  const text = from === undefined ? template(name) : readFileSync(storyNamed(from).file, 'utf8');
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${writeErrorText(error)}`);
  }
  process.stdout.write(`${path}\nRun it: npx boxtwin scenario run ${shellWord(path)}\n`);
}
