import { wholeParameters } from '../configuration/configuration-forms.ts';
import { exactly, type GuardedCall, type GuardRule, type KnownRun, type Verdict } from './guard-rule.ts';

/** docs/api.md, Connectivity commands: what each SIM provider can do. */
const DETACHES: ReadonlySet<string> = new Set(['meridian', 'tundra']);
const SUSPENDS: ReadonlySet<string> = new Set(['meridian', 'harbour']);
/** docs/api.md, Box commands: workshop mode needs this firmware. */
const WORKSHOP_FIRMWARE = [2, 24] as const;
/** docs/api.md, Feature configuration: damage detection needs a box of generation 2, smoke detection the sensor. */
const SMOKE_SENSOR_REVISION = 5;
/** What changes the firmware of a box. */
const FIRMWARE_ACTS: ReadonlySet<string> = new Set(['firmware', 'update']);

/** What the vehicle, its box and its card can do. */
export const EQUIPMENT_RULES: readonly GuardRule[] = [
  {
    name: 'the form of the parameters',
    problems: ['/problems/validation-error'],
    verdict: ({ call, operation: { kind, name = '' } }) => {
      if (kind !== 'configure' || call.method !== 'PUT') return 'unknown';
      return exactly(wholeParameters(name, call.sent) === undefined);
    },
  },
  {
    name: 'what the vehicle can do',
    problems: ['/problems/vehicle/command-not-supported'],
    verdict: capability,
  },
  { name: 'the firmware', problems: ['/problems/incompatible-firmware-version'], verdict: firmware },
  {
    name: 'the model of the box',
    problems: ['/problems/incompatible-telematics-unit-model'],
    verdict: ({ call, operation: { kind, name }, vehicle, equipment }, { times }) => {
      if (kind !== 'configure' || call.method !== 'PUT') return 'must not';
      if (equipment === undefined) return 'unknown';
      if (name === 'damage-detection') return exactly(equipment.generation < 2);
      if (name !== 'smoke-detection') return 'must not';
      const isTooOld = equipment.hardwareRevision < SMOKE_SENSOR_REVISION;
      // Which hardware a box is, its first hello tells.
      const isKnown = vehicle === undefined || call.askedMs > times.firstReadyMs(vehicle);
      return isTooOld && !isKnown ? 'unknown' : exactly(isTooOld);
    },
  },
  {
    name: 'how the box is installed',
    problems: ['/problems/incompatible-installation-variant'],
    verdict: ({ call, operation: { kind, name }, equipment }) => {
      if (kind !== 'configure' || call.method !== 'PUT' || name !== 'box-settings') return 'must not';
      const { obd_alarm: alarm } = (call.sent ?? {}) as {
        readonly obd_alarm?: { readonly enabled?: unknown };
      };
      if (alarm?.enabled !== true) return 'must not';
      return equipment === undefined ? 'unknown' : exactly(equipment.installation !== 'OBD');
    },
  },
  {
    name: 'the SIM provider',
    problems: ['/problems/resource-conflict'],
    verdict: ({ operation: { kind, name }, vehicle, equipment }, { times }) => {
      if (kind !== 'card-command' || name !== 'network-detach') return 'must not';
      if (hasOtherCard(vehicle, times)) return 'unknown';
      return equipment === undefined ? 'unknown' : exactly(!DETACHES.has(equipment.simProvider));
    },
  },
];

/** Which card is on record is known only of those that the run began with. */
function hasOtherCard(vehicle: GuardedCall['vehicle'], times: KnownRun['times']): boolean {
  const always = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
  return vehicle !== undefined && times.isUnder('box card', vehicle, always);
}

function capability(
  { operation: { kind, name = '' }, vehicle, equipment }: GuardedCall,
  { times }: KnownRun,
): Verdict {
  if (vehicle === undefined) return 'unknown';
  if (kind === 'vehicle-command')
    return equipment === undefined ? 'unknown' : exactly(!equipment.vehicleCommands.includes(name));
  if (kind === 'box-command' || kind === 'configure') return exactly(vehicle.boxId === undefined);
  if (kind !== 'card-command') return 'must not';
  if (vehicle.boxId === undefined) return 'must';
  if (name === 'network-detach') return 'must not';
  if (hasOtherCard(vehicle, times)) return 'unknown';
  return equipment === undefined ? 'unknown' : exactly(!SUSPENDS.has(equipment.simProvider));
}

function firmware(
  { call, operation: { name = '' }, vehicle, equipment }: GuardedCall,
  { times }: KnownRun,
): Verdict {
  if (!name.endsWith('-workshop-mode')) return 'must not';
  const always = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
  if (vehicle === undefined || equipment === undefined) return 'unknown';
  if (times.wasDone(vehicle, FIRMWARE_ACTS, always)) return 'unknown';
  const [major, minor] = equipment.firmware;
  const [leastMajor, leastMinor] = WORKSHOP_FIRMWARE;
  const isTooOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  // Which firmware a box has, its first hello tells.
  return isTooOld && call.askedMs <= times.firstReadyMs(vehicle) ? 'unknown' : exactly(isTooOld);
}
