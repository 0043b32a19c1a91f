import { z } from 'zod';
import { BLUETOOTH_ACTIONS, MOST_USES } from '../../../protocol/bluetooth.ts';
import { BOX_ACTIONS } from '../../../simulator/control/box-actions.ts';
import { limits as control } from '../../../simulator/control/limits.ts';
import { MAKER_ACTIONS } from '../../../simulator/control/maker-actions.ts';
import { ROUTE_TABLES } from '../../../simulator/routes/routes.ts';
import { BOTH_WORLDS, type WordRow, wordRow } from '../document/word-row.ts';

/** Which kind of vehicle can do it: one with a box, one with its maker's telematics. */
export interface VehicleActRow extends WordRow {
  readonly of: readonly ('box' | 'maker')[];
  /** The action of the simulator's control API behind it, and its body. Absent: the row's name, its settings. */
  readonly action?: (settings: never) => VehicleAction;
}

/** As `POST /boxes/{id}/{action}` of the control API takes it; `phone` is the API's Bluetooth part. */
export interface VehicleAction {
  readonly action: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The route on which the vehicle is at home. */
const AT_HOME = 'city-loop';
const routes = [AT_HOME, ...ROUTE_TABLES.map(({ name }) => name)] as const;

/** Of the control API, and in this language weather or something that breaks. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'coverage',
  'signal',
  'cut-link',
  'sim',
  'brown-out',
  'reset',
  'box-error',
  'silence',
  'setup',
  'clock-jump',
  'flash-full',
  'wipe',
  'gnss',
  'border',
]);

const OPENED = ['door', 'windows', 'sunroof', 'convertible_top', 'top-case'] as const;
const opened = z.enum(OPENED);
const manoeuvre = z.strictObject({
  acceleration_in_mg: z.int().min(control.leastManeuverMg).max(control.mostManeuverMg).optional(),
});

function open(what: (typeof OPENED)[number], isOpen: boolean): VehicleAction {
  if (what === 'door') return { action: 'doors', body: { open: isOpen } };
  if (what === 'top-case') return { action: 'top-case', body: { open: isOpen } };
  return { action: 'openings', body: { what, open: isOpen } };
}

function maneuver(what: string): (settings: z.output<typeof manoeuvre>) => VehicleAction {
  return (settings) => ({ action: 'maneuver', body: { what, ...settings } });
}

function act<Settings extends z.ZodType>(
  made: WordRow<Settings> & { readonly action?: (settings: z.output<Settings>) => VehicleAction },
): VehicleActRow {
  return { of: ['box'], ...wordRow(made), ...(made.action === undefined ? {} : { action: made.action }) };
}

/** Words of this language for what the control API says in another way. */
const OWN: Readonly<Record<string, VehicleActRow>> = {
  drive: {
    ...act({
      settings: z.strictObject({
        route: z.enum(routes).optional(),
        pace: z.number().min(0.1).max(2).optional(),
      }),
      does: `The driver shuts the doors, turns the ignition on and drives until told otherwise, at this share of the usual speed: along that route, or along its own (${AT_HOME}).`,
      example: { route: AT_HOME },
      worlds: BOTH_WORLDS,
      action: ({ route, pace }) => ({
        action: 'drive',
        body: {
          ...(route === undefined || route === AT_HOME ? {} : { route }),
          ...(pace === undefined ? {} : { pace }),
        },
      }),
    }),
    of: ['box', 'maker'],
  },
  open: act({
    settings: opened,
    does: 'A door, the windows, the sunroof, the convertible top or the top case is opened.',
    example: 'door',
    worlds: BOTH_WORLDS,
    action: (what) => open(what, true),
  }),
  close: act({
    settings: opened,
    does: 'What `open` opens is shut; all doors at once.',
    example: 'door',
    worlds: BOTH_WORLDS,
    action: (what) => open(what, false),
  }),
  charge: act({
    settings: z.strictObject({}),
    does: 'The charging plug of a parked vehicle is put in; it charges until it is full.',
    example: {},
    worlds: BOTH_WORLDS,
    action: () => ({ action: 'charge', body: { connected: true } }),
  }),
  unplug: act({
    settings: z.strictObject({}),
    does: 'The charging plug is pulled.',
    example: {},
    worlds: BOTH_WORLDS,
    action: () => ({ action: 'charge', body: { connected: false } }),
  }),
  brake: act({
    settings: manoeuvre,
    does: 'The driver brakes hard and drives on.',
    example: { acceleration_in_mg: 600 },
    worlds: BOTH_WORLDS,
    action: maneuver('heavy-braking'),
  }),
  corner: act({
    settings: manoeuvre,
    does: 'The driver takes the next bend sharply.',
    example: { acceleration_in_mg: 550 },
    worlds: BOTH_WORLDS,
    action: maneuver('harsh-cornering'),
  }),
  'emergency-stop': act({
    settings: manoeuvre,
    does: 'The driver brakes to standstill at once.',
    example: {},
    worlds: BOTH_WORLDS,
    action: maneuver('emergency-stop'),
  }),
  bluetooth: act({
    settings: z.strictObject({
      action: z.enum(BLUETOOTH_ACTIONS.map(({ name }) => name)),
      token: z.enum(['right', 'expired', 'withdrawn', 'used-up', 'forged']).default('right'),
      device: z
        .string()
        .regex(/^[ -~]+$/, 'printable ASCII only')
        .max(control.deviceCharacters)
        .optional(),
      allows: z
        .array(z.enum(BLUETOOTH_ACTIONS.map(({ name }) => name)))
        .min(1)
        .optional(),
      uses: z.int().min(1).max(MOST_USES).optional(),
      times: z.int().min(1).max(5).optional(),
      keeps: z
        .string()
        .regex(/^[a-z0-9-]+$/, 'lower-case letters, digits and hyphens only')
        .max(control.deviceCharacters)
        .optional(),
    }),
    does: 'Somebody stands beside the vehicle with a phone and presents a token, `times` times; the box needs no network for that. The token `allows` all actions and 65,535 `uses` unless said otherwise. One that the phone `keeps` by a name is presented again the next time.',
    example: { action: 'unlock', token: 'right' },
    worlds: BOTH_WORLDS,
    action: (body) => ({ action: 'phone', body }),
  }),
};

/** The words that stand for others, or for a row of their own, and so replace what the control API has. */
const REPLACED: ReadonlySet<string> = new Set([
  ...Object.keys(OWN),
  'maneuver',
  'doors',
  'openings',
  'top-case',
]);

/** What people do to a vehicle. Whatever the control API can do stands here by its name there, but for other words. */
export const VEHICLE_ACTS: Readonly<Record<string, VehicleActRow>> = {
  ...OWN,
  ...Object.fromEntries(
    BOX_ACTIONS.filter(({ name }) => !ELSEWHERE.has(name) && !REPLACED.has(name)).map(
      ({ name, does, body, example }): [string, VehicleActRow] => [
        name,
        {
          settings: body,
          does,
          example,
          worlds: BOTH_WORLDS,
          of: MAKER_ACTIONS.some((one) => one.name === name) ? ['box', 'maker'] : ['box'],
        },
      ],
    ),
  ),
  ...Object.fromEntries(
    MAKER_ACTIONS.filter(
      ({ name }) => !REPLACED.has(name) && BOX_ACTIONS.every((one) => one.name !== name),
    ).map(({ name, does, body, example }): [string, VehicleActRow] => [
      name,
      { settings: body, does, example, worlds: BOTH_WORLDS, of: ['maker'] },
    ]),
  ),
};

/** One act with its settings as read. */
export interface VehicleAct {
  readonly name: string;
  readonly settings: unknown;
}

/** What the simulator is asked for by an act that has been read. */
export function actionOf({ name, settings }: VehicleAct): VehicleAction {
  const action = VEHICLE_ACTS[name]?.action as ((settings: unknown) => VehicleAction) | undefined;
  return action === undefined
    ? { action: name, body: settings as Readonly<Record<string, unknown>> }
    : action(settings);
}
