import type { SettingName } from '../../../protocol/settings.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { immobilizerDueAt, operateImmobilizer } from '../commands/immobilizer.ts';
import { operateSetup } from '../commands/setup.ts';
import { endCalibration } from '../detect/calibration.ts';
import { crashDueAt } from '../detect/crash.ts';
import { detectFromAccelerometer, episodesEndAt } from '../detect/detection.ts';
import { detectTowing, parkedDueAt } from '../detect/parked.ts';
import { detectSmoke, smokeDueAt } from '../detect/smoke.ts';
import { shouldSleep } from '../power/power.ts';
import { updateHealth } from '../sampling/health.ts';
import { sampleInputs, standbyAt } from '../sampling/sampler.ts';
import { goOffline } from '../session/going-offline.ts';
import { isUpdatePending, reportUpdateOutcome } from '../update/update.ts';
import type { BoxState } from './state.ts';
import type { StepContext } from './step-context.ts';

/**
 * An automatic reaction of the box to its inputs. A parked box sleeps: it reads its inputs only when it is
 * woken. So every input of a feature must wake it. The wake sources are these, and each operates all
 * features:
 *
 *   - changes of the inputs: `changeVehicle` of the host, and the vehicle's own changes
 *     (`Vehicle.nextChangeMs`)
 *   - the box's own actuations: `actuated`, `immobilized`
 *   - a changed configuration
 *   - time: the earliest `dueAt` (next-alarm.ts)
 *
 * test/properties/parked-box-wakes.test.ts compares a sleeping box with one that polls.
 */
export interface FirmwareFeature {
  readonly name: string;
  /** The inputs that it reads. */
  readonly inputs: readonly (keyof SensorInputs)[];
  /** The settings that it depends on, by their prefixes: `parking.`. */
  readonly settings: readonly SettingGroup[];
  readonly operate: (context: StepContext, sensors: SensorInputs) => void;
  /** When it must read the inputs even if nothing else wakes the box; undefined: it need not. */
  readonly dueAt: (state: Pick<BoxState, 'ram' | 'flash'>) => number | undefined;
}

type SettingGroup = SettingName extends infer Name
  ? Name extends `${infer Group}.${string}`
    ? `${Group}.`
    : never
  : never;

/** The inputs of everything that reports: in addition to its own inputs, a report contains all readable values. */
const REPORT_INPUTS = [
  'signals',
  'signalsAwake',
  'ignitionOn',
  'hasCoverage',
  'csq',
] as const satisfies readonly (keyof SensorInputs)[];

/**
 * In the order in which they operate: the ignition state during an acceleration is the one that was sampled
 * last, so accelerations, towing and smoke come before the other inputs.
 */
export const FIRMWARE_FEATURES: readonly FirmwareFeature[] = [
  {
    name: 'temperature of the processor',
    inputs: ['ambientTemperatureC', 'ignitionOn'],
    settings: [],
    operate: updateHealth,
    dueAt: () => undefined,
  },
  {
    name: 'crash, heavy braking, harsh cornering, shock and damage',
    inputs: [...REPORT_INPUTS, 'accelerations', 'fix'],
    settings: ['driving.', 'parking.', 'damage.'],
    operate: detectFromAccelerometer,
    dueAt: (state) => earlier(crashDueAt(state), episodesEndAt(state.ram)),
  },
  {
    name: 'towing',
    inputs: [...REPORT_INPUTS, 'keyPresent', 'fix', 'tiltDegrees'],
    settings: ['parking.'],
    operate: detectTowing,
    dueAt: parkedDueAt,
  },
  {
    name: 'smoke',
    inputs: [...REPORT_INPUTS, 'smokeUgPerM3', 'fix'],
    settings: ['smoke.'],
    operate: detectSmoke,
    dueAt: (state) => smokeDueAt(state, state.ram.detection.smokeEpisode),
  },
  {
    name: 'events, tracking, the reading at rest, standby reports',
    inputs: [
      ...REPORT_INPUTS,
      'anyDoorOpen',
      'locked',
      'drivingEnabled',
      'topCaseOpen',
      'topCaseLocked',
      'standExtended',
      'compartmentLocked',
      'pluggedIn',
      'charging',
      'speedKph',
      'distanceM',
      'headingDegrees',
      'fix',
    ],
    settings: ['tracking.', 'box.'],
    operate: sampleInputs,
    // With the ignition on it also looks once a second, or when there can be a change
    // (simulator/box/next-look.ts).
    dueAt: standbyAt,
  },
  {
    name: 'the end of an update',
    inputs: REPORT_INPUTS,
    settings: [],
    operate: reportUpdateOutcome,
    dueAt: ({ ram, flash }) => (isUpdatePending(flash) ? ram.cpuTimeUpdatedAt + limits.lookMs : undefined),
  },
  {
    name: 'calibration of damage detection',
    inputs: REPORT_INPUTS,
    settings: ['damage.'],
    operate: endCalibration,
    dueAt: ({ ram }) => ram.calibration?.until,
  },
  {
    name: 'automatic immobilizer',
    inputs: ['ignitionOn', 'locked', 'drivingEnabled'],
    settings: ['immobilizer.'],
    operate: operateImmobilizer,
    dueAt: immobilizerDueAt,
  },
  {
    name: 'setup',
    inputs: [...REPORT_INPUTS, 'supplyMillivolts'],
    settings: [],
    operate: operateSetup,
    dueAt: ({ ram }) => ram.setup?.lookAt,
  },
  {
    name: 'sparing the battery',
    inputs: ['signals', 'ignitionOn', 'supplyMillivolts'],
    settings: [],
    operate: (context, sensors) => {
      if (shouldSleep(context, sensors) && context.ram.goingOffline === undefined)
        goOffline(context, 'sleep');
    },
    dueAt: ({ ram }) => ram.powerLookAt,
  },
];

/** Operates every feature. Call it whenever an input of one of them has changed. */
export function operateFeatures(context: StepContext, sensors: SensorInputs): void {
  for (const { operate: tend } of FIRMWARE_FEATURES) tend(context, sensors);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
