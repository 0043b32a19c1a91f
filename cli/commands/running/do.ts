import pc from 'picocolors';
import { z } from 'zod';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { unknownVehicleText } from '../../shared/running-vehicles.ts';
import {
  type CallSimulator,
  type SimulatorOptions,
  simulatorClient,
  simulatorOptions,
  simulatorRefusal,
} from '../../shared/simulator-client.ts';
import {
  type Action,
  type ActionRequest,
  actionsOf,
  exampleValues,
  faultWords,
  refusedText,
  requestFor,
} from './actions.ts';
import { activeFaults, type Faults, parsed } from './active-faults.ts';
import { undo } from './undo.ts';

export interface DoOptions extends SimulatorOptions {
  /** How long a fault lasts, such as `90s`; absent: until it is removed. */
  readonly for?: string;
  /** Remove the active faults of this vehicle, of the named kind or all. */
  readonly undo: boolean;
  /** Print what the action takes, in place of doing it. */
  readonly describe: boolean;
  readonly json: boolean;
}

/** Everything that the running simulator can do. Throws a `CommandError` where none runs. */
export async function runningActions(options: SimulatorOptions): Promise<readonly Action[]> {
  const call = await simulatorClient(options);
  return actionsAt(call, await activeFaults(call));
}

async function actionsAt(call: CallSimulator, { words }: Faults): Promise<readonly Action[]> {
  const root = parsed(description, await call('GET', '/'));
  return actionsOf({ acts: root.post, makers: root.makers ?? {}, faults: words });
}

/** Who a fault is for where it is not one vehicle. */
const EVERY_VEHICLE = 'all';

const EXAMPLE_COLUMNS = 34;

const description = z.looseObject({
  post: z.record(z.string(), z.looseObject({ does: z.string(), example: z.unknown() })),
  makers: z.record(z.string(), z.unknown()).optional(),
});
/**
 * Makes a vehicle do something, or applies a fault to it, by the control API of the running simulator. Without an
 * action it prints all of them. Throws a `CommandError` where the simulator refuses.
 */
export async function doAction(
  vehicle: string,
  action: string | undefined,
  values: readonly string[],
  options: DoOptions,
): Promise<void> {
  const call = await simulatorClient(options);
  const active = await activeFaults(call);
  if (options.undo) {
    const box = await boxOf(call, vehicle, options);
    return undo(call, { vehicle, box, kind: action, isJson: options.json }, active.in_force);
  }
  const actions = await actionsAt(call, active);
  if (action === undefined) {
    const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
    process.stdout.write(
      options.json ? `${JSON.stringify(actions)}\n` : `${listText(actions, vehicle, columns)}\n`,
    );
    return;
  }
  const meant = actions.find(({ name }) => name === action);
  if (meant !== undefined && (options.describe || (values.length === 0 && options.for === undefined))) {
    const { actionText, missingValues } = await import('./action-values.ts');
    if (options.describe) {
      process.stdout.write(`${actionText(meant, vehicle)}\n`);
      return;
    }
    const missing = missingValues(meant, vehicle);
    if (missing !== undefined) throw new CommandError(missing);
  }
  const isOfMaker = await isMakers(call, vehicle);
  const request = requestFor(actions, {
    vehicle: vehicle === EVERY_VEHICLE ? undefined : vehicle,
    isOfMaker,
    action,
    values,
    for: options.for,
  });
  if ('refusal' in request) throw new CommandError(request.refusal);
  const answer = await call('POST', request.path, request.body);
  if (answer.status === 404) throw new CommandError(await unknownVehicleText(vehicle, options));
  if (answer.status >= 400)
    throw new CommandError(
      refusedText(request.action, simulatorRefusal(answer)),
      answer.status === 409 ? 1 : 2,
    );
  process.stdout.write(
    options.json
      ? `${JSON.stringify(answer.body)}\n`
      : `${doneText(vehicle, request, answer.body, options)}\n`,
  );
}

/** As the control API describes it; undefined: all. Throws a `CommandError` for an unknown id. */
async function boxOf(call: CallSimulator, vehicle: string, options: DoOptions): Promise<unknown> {
  if (vehicle === EVERY_VEHICLE) return undefined;
  const answer = await call('GET', `/boxes/${encodeURIComponent(vehicle)}`);
  const read = z.looseObject({ boxId: z.string() }).safeParse(answer.body);
  if (read.success) return read.data;
  if (await isMakers(call, vehicle))
    throw new CommandError(`${vehicle} is connected by its maker: it has no faults of a box or its link.`);
  throw new CommandError(await unknownVehicleText(vehicle, options));
}

async function isMakers(call: CallSimulator, vehicle: string): Promise<boolean> {
  return (await call('GET', `/maker-vehicles/${encodeURIComponent(vehicle)}`)).status === 200;
}

function doneText(
  vehicle: string,
  { action, body }: ActionRequest,
  answer: unknown,
  options: DoOptions,
): string {
  if (action.kind === 'act') return `${vehicle}: ${action.name} ${JSON.stringify(body)}`;
  const fault = z.record(z.string(), z.unknown()).optional();
  const read = z.looseObject({ id: z.string(), untilMs: z.number().nullish(), fault }).safeParse(answer);
  if (!read.success || !action.lasts) return `${vehicle}: ${action.name} has happened`;
  const { untilMs } = read.data;
  const words = read.data.fault === undefined ? action.name : faultWords(read.data.fault);
  const until = typeof untilMs === 'number' ? `until ${new Date(untilMs).toISOString()}` : 'until removed';
  return `${vehicle}: ${words} ${until}\n${pc.dim(`remove it: npx boxtwin do ${vehicle} ${action.name} --undo${simulatorOptions(options)}`)}`;
}

/** Acts, then faults, with an example each: whole, or their first sentences in lines of so many columns. */
function listText(actions: readonly Action[], vehicle: string, columns: number | undefined): string {
  const group = (title: string, rows: readonly Action[]): readonly string[] => [
    pc.bold(title),
    ...rows.map(({ name, does, example: value }) => {
      const example = `${name} ${exampleValues(value).join(' ')}`.trimEnd();
      const row =
        example.length <= EXAMPLE_COLUMNS
          ? example.padEnd(EXAMPLE_COLUMNS)
          : `${example}\n${' '.repeat(EXAMPLE_COLUMNS + 2)}`;
      const text = columns === undefined ? does : cutSentence(does, columns - EXAMPLE_COLUMNS - 3);
      return `  ${row} ${pc.dim(text)}`;
    }),
    '',
  ];
  return [
    ...group(
      'What a vehicle, its driver or a workshop does',
      actions.filter(({ kind }) => kind === 'act'),
    ),
    ...group(
      'Faults of a vehicle (--for 90s, or until --undo)',
      actions.filter((action) => action.kind === 'fault' && action.isOfVehicles),
    ),
    ...group(
      'Faults of the installation (boxtwin do all …)',
      actions.filter((action) => action.kind === 'fault' && !action.isOfVehicles),
    ),
    'Values: key=value, key alone for true, or one value; JSON works too.',
    `All values of an action: boxtwin do ${vehicle} ACTION --help`,
  ].join('\n');
}

/** The first sentence, in at most so many characters. */
function cutSentence(text: string, most: number): string {
  const [first = ''] = text.split(/[.:;](?:\s|$)/);
  return first.length <= most ? first : `${first.slice(0, Math.max(0, most - 1))}…`;
}
