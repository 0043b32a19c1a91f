import type { BoxPlan } from '../../simulator/box-plan.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';
import { readInput, unreadableText } from './input-file.ts';

/** A line that cannot be used, counted from 1, and why. */
export interface CredentialsFault {
  readonly line: number;
  readonly reason: string;
}

const HEADER = 'box_id,password';
const BOX_ID = /^[0-9a-f]{16}$/;

/**
 * Passwords by box id, from CSV: a header `box_id,password`, then a line for each box; further columns and empty lines
 * are ignored. A password has no comma. Total: unreadable lines are returned with their number.
 */
export function parseCredentials(
  text: string,
): { readonly passwords: ReadonlyMap<string, string> } | { readonly faults: readonly CredentialsFault[] } {
  const passwords = new Map<string, string>();
  const faults: CredentialsFault[] = [];
  const lines = text.split(/\r?\n/);
  if (!`${lines[0] ?? ''},`.startsWith(`${HEADER},`))
    return { faults: [{ line: 1, reason: `the header has to begin with ${HEADER}` }] };
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const [boxId = '', password = ''] = line.split(',').map((part) => part.trim());
    const reason = !BOX_ID.test(boxId)
      ? 'the box id has to be 16 digits of 0-9 and a-f'
      : password === ''
        ? 'the password is missing'
        : passwords.has(boxId)
          ? `box ${boxId} appears twice`
          : undefined;
    if (reason === undefined) passwords.set(boxId, password);
    else faults.push({ line: index + 1, reason });
  }
  return faults.length > 0 ? { faults } : { passwords };
}

/** Reads the passwords of boxes. Throws a `CommandError` that names the file, and the first lines that are wrong. */
export function readCredentials(path: string): ReadonlyMap<string, string> {
  const reading = readInput('credentials', path);
  if ('fault' in reading)
    throw new CommandError(unreadableText('credentials', path, reading.fault, '--credentials'));
  const parsed = parseCredentials(Buffer.from(reading.bytes).toString('utf8'));
  if ('passwords' in parsed) return parsed.passwords;
  const shown = parsed.faults.slice(0, limits.shownCredentialsFaults);
  const more = parsed.faults.length - shown.length;
  const told = shown.map(({ line, reason }) => `${path}:${line}: ${reason}.`);
  throw new CommandError(
    [...told, ...(more > 0 ? [`and ${more} further lines.`] : []), `A line is ${HEADER}.`].join('\n  '),
  );
}

/**
 * The same plans with the passwords of a file. Throws a `CommandError` where boxes have none: the broker would refuse
 * them one by one.
 */
export function withPasswords<Plan extends Pick<BoxPlan, 'boxId' | 'secret'>>(
  plans: readonly Plan[],
  passwords: ReadonlyMap<string, string>,
  path: string,
): readonly Plan[] {
  const missing = plans.filter(({ boxId }) => !passwords.has(boxId));
  const [first] = missing;
  if (first !== undefined)
    throw new CommandError(
      `${path} (--credentials) has no password for ${missing.length} of ${plans.length} boxes, such as ${first.boxId}. ` +
        '"boxtwin fleet --write-credentials FILE" with the same seed writes those of all boxes.',
    );
  return plans.map((plan) => ({ ...plan, secret: passwords.get(plan.boxId) ?? plan.secret }));
}

/** A fleet as CSV, ready for `--credentials` and for the administrator who creates accounts at a broker. */
export function credentialsCsv(plans: readonly BoxPlan[]): string {
  return csv(HEADER, plans, ({ boxId, secret }) => [boxId, secret]);
}

/** A fleet as CSV, without passwords. */
export function fleetCsv(plans: readonly BoxPlan[]): string {
  return csv('box_id', plans, ({ boxId }) => [boxId]);
}

function csv(
  header: string,
  plans: readonly BoxPlan[],
  firstOf: (plan: BoxPlan) => readonly string[],
): string {
  const rows = plans.map((plan) => {
    const { vehicleId, model, generation, vin, licensePlate, sim } = plan;
    return [...firstOf(plan), vehicleId, model, generation, vin, licensePlate, sim.provider, sim.iccid].join(
      ',',
    );
  });
  return `${[`${header},vehicle_id,model,generation,vin,license_plate,sim_provider,iccid`, ...rows].join('\n')}\n`;
}
