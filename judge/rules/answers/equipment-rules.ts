import { SIM_PROVIDERS } from '../../../contract/sim-providers.ts';
import { COMMANDS } from '../../../protocol/commands.ts';
import { isAtLeast } from '../../../protocol/firmware.ts';
import { wholeParameters } from '../configuration/configuration-forms.ts';
import { exactly, type GuardedCall, type GuardRule, type KnownRun, type Verdict } from './guard-rule.ts';

/** docs/api.md, Feature configuration: damage detection needs a box of generation 2, smoke detection the sensor. */
const SMOKE_SENSOR_REVISION = 5;
/** What changes the firmware of a box. */
const FIRMWARE_ACTS: ReadonlySet<string> = new Set(['firmware', 'update']);

function offers(simProvider: string, command: string): boolean {
  const provider = SIM_PROVIDERS.find(({ name }) => name === simProvider);
  return provider?.commands.some((name) => name === command) === true;
}

/** What the vehicle, its box and its card can do. */
export const EQUIPMENT_RULES: readonly GuardRule[] = [
  {
    name: 'the form of the parameters',
    problems: ['/problems/validation-error'],
    verdict: ({ call, operation: { kind, name = '' } }) => {
      if (kind !== 'configure') return 'unknown';
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
      if (kind !== 'configure') return 'must not';
      if (equipment === undefined) return 'unknown';
      if (name === 'damage-detection') return exactly(equipment.generation < 2);
      if (name !== 'smoke-detection') return 'must not';
      const isTooOld = equipment.hardwareRevision < SMOKE_SENSOR_REVISION;
      // A box's hardware is unknown before its first hello.
      const isKnown = vehicle === undefined || call.askedMs > times.firstReadyMs(vehicle);
      return isTooOld && !isKnown ? 'unknown' : exactly(isTooOld);
    },
  },
  {
    name: 'how the box is installed',
    problems: ['/problems/incompatible-installation-variant'],
    verdict: ({ call, operation: { kind, name }, equipment }) => {
      if (kind !== 'configure' || name !== 'box-settings') return 'must not';
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
    verdict: ({ operation: { guards }, vehicle, equipment }, { times }) => {
      if (!guards.includes('sim-provider')) return 'must not';
      if (hasOtherCard(vehicle, times)) return 'unknown';
      return equipment === undefined ? 'unknown' : exactly(!offers(equipment.simProvider, 'network-detach'));
    },
  },
];

/** The card on record is known only for boxes from the start of the run. */
function hasOtherCard(vehicle: GuardedCall['vehicle'], times: KnownRun['times']): boolean {
  const always = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
  return vehicle !== undefined && times.isUnder('box card', vehicle, always);
}

function capability(
  { operation: { kind, name = '', guards }, vehicle, equipment }: GuardedCall,
  { times }: KnownRun,
): Verdict {
  if (vehicle === undefined) return 'unknown';
  if (kind === 'vehicle-command')
    return equipment === undefined ? 'unknown' : exactly(!equipment.vehicleCommands.includes(name));
  if (kind === 'box-command' || kind === 'configure' || kind === 'deactivate')
    return exactly(vehicle.boxId === undefined);
  if (kind !== 'connectivity-command') return 'must not';
  if (vehicle.boxId === undefined) return 'must';
  if (guards.includes('sim-provider')) return 'must not';
  if (hasOtherCard(vehicle, times)) return 'unknown';
  return equipment === undefined ? 'unknown' : exactly(!offers(equipment.simProvider, name));
}

function firmware(
  { call, operation: { name, guards }, vehicle, equipment }: GuardedCall,
  { times }: KnownRun,
): Verdict {
  if (!guards.includes('incompatible-firmware')) return 'must not';
  const least = COMMANDS.find((command) => command.name === name);
  if (least === undefined || !('minimumFirmware' in least)) return 'must not';
  const always = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };
  if (vehicle === undefined || equipment === undefined) return 'unknown';
  if (times.wasDone(vehicle, FIRMWARE_ACTS, always)) return 'unknown';
  const isTooOld = !isAtLeast(equipment.firmware, least.minimumFirmware);
  // A box's firmware is unknown before its first hello.
  return isTooOld && call.askedMs <= times.firstReadyMs(vehicle) ? 'unknown' : exactly(isTooOld);
}
