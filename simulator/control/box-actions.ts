import { z } from 'zod';
import {
  type FirmwareVersion,
  firmwareWith,
  isReleased,
  NEWEST_FIRMWARE,
  OLDEST_FIRMWARE,
} from '../../protocol/firmware.ts';
import { wireLimits } from '../../protocol/limits.ts';
import type { FleetBox } from '../box/fleet-box.ts';
import { IMAGE_KINDS, supportsUpdates } from '../firmware/update/image.ts';
import { controlLimits } from '../limits.ts';
import { MANEUVERS, type Maneuver } from '../vehicle/driving/maneuver.ts';
import { MOVABLE_PARTS, PART_CONDITIONS } from '../vehicle/driving/mechanics.ts';
import { SUPPLIES } from '../vehicle/energy/supply.ts';
import { fromMilligravity } from '../vehicle/forces.ts';
import { limits as physics } from '../vehicle/limits.ts';
import { INSTALLATION_FAULTS } from '../vehicle/sensing/vehicle-ports.ts';
import { type Action, boxAction } from './action.ts';
import { FAULT_ACTIONS } from './fault-actions.ts';
import { INCIDENT_ACTIONS } from './incident-actions.ts';
import { VEHICLE_ACTIONS } from './vehicle-actions.ts';

const nothing = z.strictObject({});
const version = z.string().regex(/^\d{1,3}\.\d{1,3}$/, 'major.minor, each 0 to 255');
const condition = z.enum(PART_CONDITIONS).optional();

/** Every action on a box or its vehicle, by name. A new action is a new row: the control API documents it by that row. */
export const BOX_ACTIONS = {
  drive: boxAction({
    does: 'The driver shuts the doors, turns the ignition on and drives along the route until another action: at this share of the usual speed and, where another route is named, from its beginning, to which the parked vehicle is moved.',
    body: z.strictObject({
      route: z.string().min(1).max(controlLimits.routeCharacters).optional(),
      pace: z.number().min(physics.slowestPace).max(physics.fastestPace).optional(),
    }),
    example: { pace: 0.8 },
    refuses: (truth, { route }, box) => {
      if (route !== undefined && !box.routes().includes(route)) {
        return `There is no route ${route}. There are: ${box.routes().join(', ')}.`;
      }
      if (route !== undefined && route !== truth['route'] && truth['speedKph'] !== 0) {
        return 'The vehicle is moving: it cannot be carried to another route. Let it park first.';
      }
      if (truth['drivingEnabled'] === false) {
        return 'The immobilizer is on: the vehicle does not start. Send it the command enable-driving first.';
      }
      if (truth['locked'] === true && truth['ignitionOn'] === false) {
        return 'The vehicle is locked. Send it the command unlock-central-lock first.';
      }
      return undefined;
    },
    run: (box, how) => box.drive(how),
  }),
  maneuver: boxAction({
    does: 'The driver does this on the way as soon as the vehicle is fast enough: brakes hard and drives on, takes the next bend sharply, or brakes to standstill at once. The acceleration is what the vehicle really undergoes.',
    body: z.strictObject({
      what: z.enum(MANEUVERS),
      acceleration_in_mg: z
        .int()
        .min(controlLimits.leastManeuverMg)
        .max(controlLimits.mostManeuverMg)
        .optional(),
    }),
    example: { what: 'heavy-braking', acceleration_in_mg: 600 },
    refuses: (truth) =>
      truth['driverWish'] === 'drive' ? undefined : 'The vehicle is parked. Let it drive first.',
    run: (box, { what, acceleration_in_mg: mg }) =>
      box.maneuver({ what, rateMps2: fromMilligravity(mg ?? USUAL_MG[what]) })
        ? undefined
        : 'No bend of this route takes so much at this pace, or it is a recorded drive, which is driven as it was. Ask for another acceleration, pace or route.',
  }),
  park: boxAction({
    does: 'The driver brakes to standstill and turns the ignition off.',
    body: nothing,
    example: {},
    run: (box) => box.park(),
  }),
  doors: boxAction({
    does: 'A door is opened, after braking to standstill where the vehicle moves; or all are shut.',
    body: z.strictObject({ open: z.boolean() }),
    example: { open: true },
    refuses: (truth, { open }) =>
      open && truth['locked'] === true
        ? 'The vehicle is locked: no door opens. Send it the command unlock-central-lock first.'
        : undefined,
    run: (box, { open }) => box.openDoor(open),
  }),
  ignition: boxAction({
    does: 'The ignition is turned on; or off, after braking to standstill where the vehicle moves.',
    body: z.strictObject({ on: z.boolean() }),
    example: { on: false },
    run: (box, { on }) => box.turnIgnition(on),
  }),
  coverage: boxAction({
    does: 'Radio coverage ends, and the link dies without a goodbye; or coverage returns.',
    body: z.strictObject({ available: z.boolean() }),
    example: { available: false },
    run: (box, { available }) => box.setCoverage(available),
  }),
  signal: boxAction({
    does: 'The signal quality becomes this CSQ (3GPP TS 27.007: 0 is -113 dBm or less, 31 is -51 dBm or more); null: as the place has it.',
    body: z.strictObject({ csq: z.int().min(0).max(31).nullable() }),
    example: { csq: 9 },
    run: (box, { csq }) => box.setSignalQuality(csq ?? undefined),
  }),
  'brown-out': boxAction({
    does: 'The supply voltage sinks below what the box needs, for a few seconds; it starts again after it.',
    body: nothing,
    example: {},
    run: (box) => box.brownOut(),
  }),
  setup: boxAction({
    does: 'The installation of the box has a fault, for duration_s seconds or until `none`; a setup during that time fails.',
    body: z.strictObject({
      obstacle: z.enum(['none', ...INSTALLATION_FAULTS]),
      duration_s: z.number().positive().max(controlLimits.longestObstacleS).optional(),
    }),
    example: { obstacle: 'no-gnss', duration_s: 10 },
    run: (box, { obstacle, duration_s }) =>
      box.setInstallationFault(
        obstacle === 'none' ? undefined : obstacle,
        duration_s === undefined ? undefined : duration_s * 1_000,
      ),
  }),
  'top-case': boxAction({
    does: 'The lid of the top case is opened, while it is unlocked and the vehicle is stationary; or it is closed.',
    body: z.strictObject({ open: z.boolean() }),
    example: { open: false },
    refuses: (truth, { open }) => {
      if (truth['topCaseOpen'] === undefined) return lacks(truth, 'top case');
      if (open && truth['topCaseLocked'] === true) {
        return 'The top case is locked. Send the vehicle the command unlock-top-case first.';
      }
      return open ? moves(truth) : undefined;
    },
    run: (box, { open }) => box.openTopCase(open),
  }),
  'shut-battery-compartment': boxAction({
    does: 'The battery compartment is shut by hand; it is opened by the command unlock-battery-compartment.',
    body: nothing,
    example: {},
    refuses: (truth) =>
      truth['compartmentLocked'] === undefined ? lacks(truth, 'battery compartment') : undefined,
    run: (box) => box.shutCompartment(),
  }),
  'center-stand': boxAction({
    does: 'A stationary vehicle is put on its centre stand, or taken off it.',
    body: z.strictObject({ extended: z.boolean() }),
    example: { extended: false },
    refuses: (truth) => (truth['standExtended'] === undefined ? lacks(truth, 'centre stand') : moves(truth)),
    run: (box, { extended }) => box.putOnStand(extended),
  }),
  mechanics: boxAction({
    does: 'What the box moves jams at once (jammed), or after it has moved once more (failing), so that commands fail in part or in whole; `works` mends it. Parts that are not named stay as they are.',
    body: z.strictObject({
      lock: condition,
      immobilizer: condition,
      top_case: condition,
      battery_compartment: condition,
    }),
    example: { immobilizer: 'jammed' },
    refuses: (truth, change) => {
      const parts = truth['mechanics'] as Readonly<Record<string, unknown>>;
      const missing = MOVABLE_PARTS.find((part) => change[part] !== undefined && parts[part] === undefined);
      return missing === undefined ? undefined : lacks(truth, missing.replaceAll('_', ' '));
    },
    run: (box, change) =>
      box.setMechanics(
        Object.fromEntries(
          MOVABLE_PARTS.flatMap((part) => (change[part] === undefined ? [] : [[part, change[part]]])),
        ),
      ),
  }),
  'box-error': boxAction({
    does: 'Something in the box breaks: it answers the next command or configuration (once), or every one until it is mended, with this error. Without a text it is mended, as it is by a restart of the program.',
    body: z.strictObject({
      text: z
        .string()
        .regex(/^[ -~]*$/, 'printable ASCII only')
        .min(1)
        .max(wireLimits.errorTextBytes)
        .optional(),
      once: z.boolean().default(true),
    }),
    example: { text: 'output driver over temperature', once: true },
    run: (box, { text, once }) => box.setFault(text === undefined ? undefined : { text, isPassing: once }),
  }),
  silence: boxAction({
    does: "The box's application hangs: commands arrive and are not answered, for this number of seconds or until its watchdog resets it (2 min); commands that have not expired are then carried out. 0 ends the hang.",
    body: z.strictObject({ seconds: z.number().min(0).max(controlLimits.longestSilenceS) }),
    example: { seconds: 30 },
    run: (box, { seconds }) => box.hang(Math.round(seconds * 1_000)),
  }),
  firmware: boxAction({
    does: 'A workshop puts another firmware into the box, which goes down for it and keeps it over restarts. Undo it with the version that it had.',
    body: z.strictObject({ version }),
    example: { version: '2.23' },
    refuses: (_truth, { version }) =>
      versionOf(version).some((part) => part > 255) ? 'A version has two numbers of 0 to 255.' : undefined,
    run: (box, { version }) => box.putFirmware(versionOf(version)),
  }),
  update: boxAction({
    does: 'The maker of the box offers it another firmware over the air: it downloads it, checks it, installs it once the vehicle is parked with its ignition off, and rolls it back if it fails. `image` is its state at the server.',
    body: z.strictObject({ version, image: z.enum(IMAGE_KINDS).default('right') }),
    example: { version: '2.40', image: 'right' },
    refuses: (_truth, body, box) => updateRefusal(versionOf(body.version), box.snapshot()),
    run: (box, body) => box.offerUpdate({ version: versionOf(body.version), image: body.image }),
  }),
  supply: boxAction({
    does: 'The supply of the box is low (a flat battery), cut (it lives on its backup battery, as long as that lasts), or good again. It is low for ten minutes with the ignition off, or the backup battery is nearly empty: the box powers down.',
    body: z.strictObject({ state: z.enum(SUPPLIES) }),
    example: { state: 'cut' },
    run: (box, { state }) => box.setSupply(state),
  }),
  'cut-link': boxAction({
    does: 'The network severs the connection of the box; coverage stays, and the box connects again.',
    body: nothing,
    example: {},
    run: (box) => box.cutConnection(),
  }),
  reset: boxAction({
    does: 'The box is reset from outside, with this reason in its next system status.',
    body: z.strictObject({
      reason: z.enum(['GENERAL', 'BACKUP', 'WATCHDOG', 'SOFTWARE', 'USER', 'UNKNOWN', 'POWER_DOWN_MODE']),
    }),
    example: { reason: 'WATCHDOG' },
    run: (box, { reason }) => box.reset(reason),
  }),
  sim: boxAction({
    does: 'The SIM provider activates, suspends or detaches the card; only an active one gets onto a network.',
    body: z.strictObject({ state: z.enum(['active', 'suspended', 'detached']) }),
    example: { state: 'suspended' },
    run: (box, { state }) => box.setSim(state),
  }),
  ...FAULT_ACTIONS,
  ...INCIDENT_ACTIONS,
  ...VEHICLE_ACTIONS,
};

export type BoxActionName = keyof typeof BOX_ACTIONS;

/** By a name from outside; undefined: there is no such action. */
export function boxActionOf(name: string): Action<FleetBox> | undefined {
  return Object.hasOwn(BOX_ACTIONS, name) ? BOX_ACTIONS[name as BoxActionName] : undefined;
}

/** The usual acceleration of each manoeuvre. */
const USUAL_MG: Readonly<Record<Maneuver['what'], number>> = {
  'heavy-braking': physics.heavyBrakingMg,
  'harsh-cornering': physics.harshCorneringMg,
  'emergency-stop': physics.emergencyStopMg,
};

function versionOf(version: string): readonly [major: number, minor: number] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}

function lacks(truth: Readonly<Record<string, unknown>>, part: string): string {
  return `A vehicle of the model ${String(truth['model'])} has no ${part}.`;
}

function moves(truth: Readonly<Record<string, unknown>>): string | undefined {
  return truth['speedKph'] === 0 ? undefined : 'The vehicle is moving. Let it park first.';
}

/** Phases in which a box ignores offers of another program. */
const BUSY: readonly unknown[] = ['installing', 'trial'];

/** Why the maker cannot offer that program to a box in that state, and what to do; undefined: it can. */
function updateRefusal(
  version: FirmwareVersion,
  snapshot: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!isReleased(version)) {
    return `There is no firmware ${version.join('.')}; there are ${OLDEST_FIRMWARE.join('.')} to ${NEWEST_FIRMWARE.join('.')}.`;
  }
  const running = String(snapshot['firmware']);
  const [major = 0, minor = 0] = running.split('.').map(Number);
  if (!supportsUpdates([major, minor])) {
    const least = firmwareWith('update-over-the-air').join('.');
    return `The box runs ${running}, and takes updates over the air from ${least} on. A workshop can put ${least} in: the action firmware.`;
  }
  if (running === version.join('.')) return `The box runs ${running} already. Offer it another version.`;
  const update = snapshot['update'] as Readonly<Record<string, unknown>> | null | undefined;
  if (BUSY.includes(update?.['phase'])) {
    return `The box is installing ${String(update?.['version'])}. Wait until that is over.`;
  }
  if (snapshot['power'] !== 'up') return 'The box is not running, so it hears nothing. Wait until it is up.';
  return undefined;
}
