import { z } from 'zod';
import { BLUETOOTH_ACTIONS, MOST_USES } from '../../../protocol/bluetooth.ts';
import type { FleetBox } from '../../../simulator/box/fleet-box.ts';
import type { Action, ActionResult } from '../../../simulator/control/action.ts';
import { BOX_ACTIONS, type BoxActionName, boxActionOf } from '../../../simulator/control/box-actions.ts';
import {
  MAKER_ACTIONS,
  type MakerActionName,
  makerActionOf,
} from '../../../simulator/control/maker-actions.ts';
import { controlLimits } from '../../../simulator/limits.ts';
import type { Car } from '../../../simulator/maker-cloud/car.ts';
import { ROUTE_TABLES } from '../../../simulator/routes/routes.ts';
import { BOTH_WORLDS, type WordRow } from '../document/word-row.ts';

/** When an act counts as effective. */
export interface ActChange {
  /** Completes "it has changed something when ...". */
  readonly when: string;
  /**
   * What shows the change: the physical truth; the truth of a vehicle at rest only, since one that drives brakes first; or
   * the belief of the box. Absent: the act changes something whenever it is not refused.
   */
  readonly shownBy?: 'truth' | 'truth-at-rest' | 'belief';
}

const DONE: ActChange = { when: 'it is not refused' };
const TRUTH: ActChange = { when: 'it was not so before', shownBy: 'truth' };
const TRUTH_AT_REST: ActChange = {
  when: 'it was not so before; not determined for a vehicle that drives',
  shownBy: 'truth-at-rest',
};
const DRIVES: ActChange = { when: 'it is not refused; a vehicle that drives already drives on' };
const FIRMWARE: ActChange = { when: 'the box had another firmware before', shownBy: 'belief' };

/** Something that people do to a vehicle. */
export interface VehicleActRow<Settings extends z.ZodType = z.ZodType> extends WordRow<Settings> {
  readonly change: ActChange;
  /** Does it to a vehicle with a box; absent: such a vehicle cannot, unless `byPhone`. */
  toBox?(box: FleetBox, settings: z.output<Settings>): ActionResult;
  /** Does it to a vehicle with its maker's telematics; absent, or without a result: such a vehicle cannot. */
  toCar?(car: Car, settings: z.output<Settings>): ActionResult | undefined;
  /** A phone next to the vehicle does it, and the box answers later. */
  readonly byPhone?: true;
}

/** The kind of a vehicle: with a box, or with its maker's telematics. */
export type VehicleKind = 'box' | 'maker';

/** The route of every vehicle unless another one is named. */
const AT_HOME = 'city-loop';
const routes = [AT_HOME, ...ROUTE_TABLES.map(({ name }) => name)] as const;

const opened = z.enum(['door', 'windows', 'sunroof', 'convertible_top', 'top-case']);
const manoeuvre = z.strictObject({
  acceleration_in_mg: z.int().min(controlLimits.leastManeuverMg).max(controlLimits.mostManeuverMg).optional(),
});

function open(box: FleetBox, what: z.output<typeof opened>, isOpen: boolean): ActionResult {
  if (what === 'door') return BOX_ACTIONS.doors.perform(box, { open: isOpen });
  if (what === 'top-case') return BOX_ACTIONS['top-case'].perform(box, { open: isOpen });
  return BOX_ACTIONS.openings.perform(box, { what, open: isOpen });
}

/** A maker's car can open its doors only. */
function openDoor(car: Car, what: z.output<typeof opened>, isOpen: boolean): ActionResult | undefined {
  return what === 'door' ? MAKER_ACTIONS.doors.perform(car, { open: isOpen }) : undefined;
}

/** Checks a row's types: what it does takes its settings. */
function act<Settings extends z.ZodType>(
  row: Omit<VehicleActRow<Settings>, 'worlds'>,
): VehicleActRow<Settings> {
  return { ...row, worlds: BOTH_WORLDS };
}

/** Acts whose words or settings are not those of the control API. */
const OWN_ACTS = {
  drive: act({
    settings: z.strictObject({
      route: z.enum(routes).optional(),
      pace: z.number().min(0.1).max(2).optional(),
    }),
    does: `The driver shuts the doors, turns the ignition on and drives until another act, at this share of the usual speed: along that route, or along its own (${AT_HOME}).`,
    example: { route: AT_HOME },
    change: DRIVES,
    toBox: (box, how) => BOX_ACTIONS.drive.perform(box, driven(how)),
    // A car of a maker has neither route nor pace: the action refuses them.
    toCar: (car, how) => MAKER_ACTIONS.drive.attempt(car, driven(how)),
  }),
  open: act({
    settings: opened,
    does: 'A door, the windows, the sunroof, the convertible top or the top case is opened.',
    example: 'door',
    change: TRUTH_AT_REST,
    toBox: (box, what) => open(box, what, true),
    toCar: (car, what) => openDoor(car, what, true),
  }),
  close: act({
    settings: opened,
    does: 'What `open` opens is shut; all doors at once.',
    example: 'door',
    change: TRUTH_AT_REST,
    toBox: (box, what) => open(box, what, false),
    toCar: (car, what) => openDoor(car, what, false),
  }),
  charge: act({
    settings: z.strictObject({}),
    does: 'The charging plug of a parked vehicle is put in; it charges until it is full.',
    example: {},
    change: TRUTH_AT_REST,
    toBox: (box) => BOX_ACTIONS.charge.perform(box, { connected: true }),
  }),
  unplug: act({
    settings: z.strictObject({}),
    does: 'The charging plug is pulled.',
    example: {},
    change: TRUTH_AT_REST,
    toBox: (box) => BOX_ACTIONS.charge.perform(box, { connected: false }),
  }),
  brake: act({
    settings: manoeuvre,
    does: 'The driver brakes hard and drives on.',
    example: { acceleration_in_mg: 600 },
    change: DONE,
    toBox: (box, how) => BOX_ACTIONS.maneuver.perform(box, { what: 'heavy-braking', ...how }),
  }),
  corner: act({
    settings: manoeuvre,
    does: 'The driver takes the next bend sharply.',
    example: { acceleration_in_mg: 550 },
    change: DONE,
    toBox: (box, how) => BOX_ACTIONS.maneuver.perform(box, { what: 'harsh-cornering', ...how }),
  }),
  'emergency-stop': act({
    settings: manoeuvre,
    does: 'The driver brakes to standstill at once.',
    example: {},
    change: DONE,
    toBox: (box, how) => BOX_ACTIONS.maneuver.perform(box, { what: 'emergency-stop', ...how }),
  }),
  bluetooth: act({
    settings: z.strictObject({
      action: z.enum(BLUETOOTH_ACTIONS.map(({ name }) => name)),
      token: z.enum(['right', 'expired', 'withdrawn', 'used-up', 'forged']).default('right'),
      device: z
        .string()
        .regex(/^[ -~]+$/, 'printable ASCII only')
        .max(controlLimits.deviceCharacters)
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
        .max(controlLimits.deviceCharacters)
        .optional(),
    }),
    does: 'A phone next to the vehicle presents a token, `times` times; the box needs no network for that. The token `allows` all actions and 65,535 `uses` unless said otherwise. One that the phone `keeps` by a name is presented again the next time.',
    example: { action: 'unlock', token: 'right' },
    change: DONE,
    byPhone: true,
  }),
} as const;

/** An action that is no act: weather or a break in this language, or one with the words of an act of `OWN_ACTS`. */
type NoAct = 'fault' | 'own';

/**
 * The counterpart of each action of the control API in this language: an act of the same name and settings, with how
 * a change shows, or no act.
 */
const ACTIONS = {
  drive: 'own',
  maneuver: 'own',
  park: TRUTH,
  doors: 'own',
  ignition: TRUTH_AT_REST,
  coverage: 'fault',
  signal: 'fault',
  'brown-out': 'fault',
  setup: 'fault',
  'top-case': 'own',
  'shut-battery-compartment': TRUTH_AT_REST,
  'center-stand': TRUTH_AT_REST,
  mechanics: TRUTH,
  'box-error': 'fault',
  silence: 'fault',
  firmware: FIRMWARE,
  update: DONE,
  supply: TRUTH_AT_REST,
  'cut-link': 'fault',
  reset: 'fault',
  sim: 'fault',
  'clock-jump': 'fault',
  'flash-full': 'fault',
  wipe: 'fault',
  gnss: 'fault',
  border: 'fault',
  crash: DONE,
  shock: DONE,
  bump: DONE,
  tow: DONE,
  smoke: DONE,
  openings: 'own',
  charge: 'own',
  refuel: TRUTH_AT_REST,
  'swap-battery': DONE,
  belts: TRUTH,
  key: TRUTH_AT_REST,
  cards: TRUTH,
  gear: TRUTH,
  'driving-aids': TRUTH_AT_REST,
  wear: TRUTH,
  due: TRUTH,
  'trouble-code': TRUTH,
  workshop: TRUTH,
  sensor: TRUTH,
  'lock-motor': TRUTH,
  sleep: DONE,
} as const satisfies Readonly<Record<BoxActionName | MakerActionName, ActChange | NoAct>>;

type ActionsThat<Use> = {
  [Name in keyof typeof ACTIONS]: (typeof ACTIONS)[Name] extends Use ? Name : never;
}[keyof typeof ACTIONS];

/** The actions that are weather or a break in this language. */
export type FaultAction = ActionsThat<'fault'>;
/** The actions that acts with other words or settings perform. */
export type RewordedAction = ActionsThat<'own'>;
export type ActName = keyof typeof OWN_ACTS | ActionsThat<ActChange>;

/** What people do to a vehicle. */
export const VEHICLE_ACTS: Readonly<Record<ActName, VehicleActRow>> = {
  ...OWN_ACTS,
  ...(Object.fromEntries(
    Object.entries(ACTIONS).flatMap(([name, use]) =>
      typeof use === 'string' ? [] : [[name, taken(name, use)]],
    ),
  ) as Record<ActionsThat<ActChange>, VehicleActRow>),
};

function taken(name: string, change: ActChange): VehicleActRow {
  const onBox = boxActionOf(name);
  const onCar = makerActionOf(name);
  const { does, body: settings, example } = (onBox ?? onCar) as Action<unknown>;
  return {
    settings,
    does,
    example,
    change,
    worlds: BOTH_WORLDS,
    ...(onBox === undefined ? {} : { toBox: onBox.perform }),
    ...(onCar === undefined ? {} : { toCar: onCar.perform }),
  };
}

function driven({
  route,
  pace,
}: {
  readonly route?: string | undefined;
  readonly pace?: number | undefined;
}) {
  return {
    ...(route === undefined || route === AT_HOME ? {} : { route }),
    ...(pace === undefined ? {} : { pace }),
  };
}

export const ACT_NAMES = Object.keys(VEHICLE_ACTS) as readonly ActName[];

export function isActName(word: string): word is ActName {
  return Object.hasOwn(VEHICLE_ACTS, word);
}

/** Whether a vehicle of that kind can do it, in some state. */
export function canDo(kind: VehicleKind, name: ActName): boolean {
  const { toBox, toCar, byPhone } = VEHICLE_ACTS[name];
  return (kind === 'box' ? (toBox ?? byPhone) : toCar) !== undefined;
}

/** One act with its settings as read. */
export interface VehicleAct {
  readonly name: ActName;
  readonly settings: unknown;
}
