import type { SettingName } from '../../protocol/settings.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { endCalibration } from './calibration.ts';
import { listen, openEndAt } from './detect.ts';
import { crashDueAt } from './detect-crash.ts';
import { parkedDueAt, tendParked } from './detect-parked.ts';
import { smokeDueAt, tendSmoke } from './detect-smoke.ts';
import { tendHealth } from './health.ts';
import { immobilizerDueAt, tendImmobilizer } from './immobilizer.ts';
import { leave } from './leaving.ts';
import { wantsToSleep } from './power.ts';
import { look, standbyAt } from './sampler.ts';
import { tendSetup } from './setup.ts';
import type { BoxState } from './state.ts';
import type { Turn } from './turn.ts';
import { isPending, tellOutcome } from './update.ts';

/**
 * Something that the box does by itself because of what it finds at its inputs. A parked box sleeps: it looks only when
 * something wakes it. So whatever a feature looks at must wake it. These do, and each has all features looked at:
 *
 *   - what happens at the inputs: `touch` of the host, and what the vehicle does by itself (`Vehicle.nextChangeMs`)
 *   - what the box has moved itself: `actuated`, `immobilized`
 *   - another configuration
 *   - time: the earliest `dueAt` (alarm.ts)
 *
 * test/properties/whatever-wakes.test.ts holds a box that sleeps against one that looks all the time.
 */
export interface Feature {
  readonly name: string;
  /** The inputs that it reads. */
  readonly looksAt: readonly (keyof Senses)[];
  /** The settings by which it works, by their beginnings: `parking.`. */
  readonly settings: readonly SettingGroup[];
  readonly tend: (turn: Turn, senses: Senses) => void;
  /** When it must look though nothing wakes it; undefined: it need not. */
  readonly dueAt: (state: Pick<BoxState, 'ram' | 'flash'>) => number | undefined;
}

type SettingGroup = SettingName extends infer Name
  ? Name extends `${infer Group}.${string}`
    ? `${Group}.`
    : never
  : never;

/** Beside what it looks at for itself, whoever tells something tells all that can be read. */
const TELLS = [
  'signals',
  'signalsAwake',
  'ignitionOn',
  'hasCoverage',
  'csq',
] as const satisfies readonly (keyof Senses)[];

/**
 * In the order in which they look: how the ignition stood while the vehicle was shaken is what was seen last, so that
 * shakes, towing and smoke come before the other inputs.
 */
export const FEATURES: readonly Feature[] = [
  {
    name: 'temperature of the processor',
    looksAt: ['ambientTemperatureC', 'ignitionOn'],
    settings: [],
    tend: tendHealth,
    dueAt: () => undefined,
  },
  {
    name: 'crash, heavy braking, harsh cornering, shock and damage',
    looksAt: [...TELLS, 'shakes', 'fix'],
    settings: ['driving.', 'parking.', 'damage.'],
    tend: listen,
    dueAt: (state) => earlier(crashDueAt(state), openEndAt(state.ram)),
  },
  {
    name: 'towing',
    looksAt: [...TELLS, 'keyPresent', 'fix', 'tiltDegrees'],
    settings: ['parking.'],
    tend: tendParked,
    dueAt: parkedDueAt,
  },
  {
    name: 'smoke',
    looksAt: [...TELLS, 'smokeUgPerM3', 'fix'],
    settings: ['smoke.'],
    tend: tendSmoke,
    dueAt: (state) => smokeDueAt(state, state.ram.detection.smoky),
  },
  {
    name: 'events, tracking, the reading at rest, standby reports',
    looksAt: [
      ...TELLS,
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
    tend: look,
    // With the ignition on it looks once a second beside that, or when there can be something to see (lookout.ts).
    dueAt: standbyAt,
  },
  {
    name: 'the end of an update',
    looksAt: TELLS,
    settings: [],
    tend: tellOutcome,
    dueAt: ({ ram, flash }) => (isPending(flash) ? ram.reckonedAt + limits.lookMs : undefined),
  },
  {
    name: 'calibration of damage detection',
    looksAt: TELLS,
    settings: ['damage.'],
    tend: endCalibration,
    dueAt: ({ ram }) => ram.calibration?.until,
  },
  {
    name: 'automatic immobilizer',
    looksAt: ['ignitionOn', 'locked', 'drivingEnabled'],
    settings: ['immobilizer.'],
    tend: tendImmobilizer,
    dueAt: immobilizerDueAt,
  },
  {
    name: 'setup',
    looksAt: [...TELLS, 'supplyMillivolts'],
    settings: [],
    tend: tendSetup,
    dueAt: ({ ram }) => ram.setup?.lookAt,
  },
  {
    name: 'sparing the battery',
    looksAt: ['signals', 'ignitionOn', 'supplyMillivolts'],
    settings: [],
    tend: (turn, senses) => {
      if (wantsToSleep(turn, senses) && turn.ram.leaving === undefined) leave(turn, 'sleep');
    },
    dueAt: ({ ram }) => ram.powerLookAt,
  },
];

/** Has every feature look at the inputs. To be called whenever something has changed that one of them looks at. */
export function attend(turn: Turn, senses: Senses): void {
  for (const { tend } of FEATURES) tend(turn, senses);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
