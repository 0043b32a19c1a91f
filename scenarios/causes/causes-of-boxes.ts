import { valueAt } from '../../world/json.ts';
import type { CandidateVehicle, Cause, CauseStep } from './cause.ts';
import { box, command, STANDING, UNTIL_READY, untilRefused } from './steps.ts';

const OLD_FIRMWARE = '2.20';
const NEEDED_MINOR = 24;

/** Shorter than the timeout of the watchdog (2 min). */
const SILENCE_S = 110;

const withoutBox = ({ telematics }: CandidateVehicle): string | undefined =>
  telematics === 'box' ? undefined : 'has no telematics unit';

/** Whether the firmware is older than workshop mode. */
export function isOldFirmware({ firmware }: Pick<CandidateVehicle, 'firmware'>): boolean {
  const [major = 0, minor = 0] = (firmware ?? '').split('.').map(Number);
  return firmware !== undefined && (major < 2 || (major === 2 && minor < NEEDED_MINOR));
}

/** Hardware revisions from this one on have it. */
export function hasSmokeSensor({ hardwareRevision }: Pick<CandidateVehicle, 'hardwareRevision'>): boolean {
  return (hardwareRevision ?? 0) >= 5;
}

const isNewFirmware = (vehicle: CandidateVehicle): boolean => !isOldFirmware(vehicle);
const can = (name: string) => (vehicle: CandidateVehicle) => vehicle.capabilities.includes(name);

const SILENT = box('silence', { seconds: SILENCE_S }, "The box's application hangs.");
const SPEAKING: readonly CauseStep[] = [
  box('silence', { seconds: 0 }, "The box's application goes on."),
  UNTIL_READY,
];
const UNLOCKED = command('commands/unlock-central-lock', 'The central lock is unlocked.', {
  when: can('UNLOCK_CENTRAL_LOCK'),
  mayBeRefused: true,
});

/** Causes in a vehicle's box, or in the vehicle around it. */
export const CAUSES_OF_BOXES: readonly Cause[] = [
  {
    name: 'box-is-starting',
    about: 'A workshop reinstalls the firmware of the box, which is down for some 20 s.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      box('firmware', { version: '{firmware}' }, 'The box goes down for its firmware, and says so before.'),
      untilRefused('conflicting-resource', 'the box is starting'),
    ],
    undoSteps: [UNTIL_READY],
    detail: /starting or updating/,
  },
  {
    name: 'no-coverage',
    about: 'The vehicle has no radio coverage.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      ...STANDING,
      box('coverage', { available: false }, 'Radio coverage ends.'),
      untilRefused('no-connection', 'the box is offline'),
    ],
    undoSteps: [box('coverage', { available: true }, 'Radio coverage is there again.'), UNTIL_READY],
    detail: /did not connect/,
  },
  {
    name: 'box-is-silent',
    about: 'The box is connected, and its application hangs.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [...STANDING, SILENT],
    undoSteps: SPEAKING,
    detail: /did not answer/,
    isSlow: true,
  },
  {
    name: 'another-command-is-open',
    about: 'The box hangs over another command.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      SILENT,
      command('box-commands/request-system-status', 'The box is sent a command that it does not answer.', {
        isRepeatedUntilUndone: true,
      }),
    ],
    undoSteps: SPEAKING,
    detail: /Another command of this vehicle is being carried out/,
  },
  {
    name: 'box-fails',
    about: 'An output of the box is broken, and the box answers every command with that error.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      ...STANDING,
      box(
        'box-error',
        { text: 'output driver over temperature', once: false },
        'Something in the box breaks.',
      ),
    ],
    undoSteps: [box('box-error', {}, 'It is mended.'), UNTIL_READY],
    detail: /output driver over temperature/,
  },
  {
    name: 'vehicle-moves',
    about: 'The vehicle is under way.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      command('commands/enable-driving', 'Driving is enabled.', { mayBeRefused: true }),
      UNLOCKED,
      box('drive', {}, 'A driver starts the vehicle and drives off.'),
      {
        about: 'Waits until it moves.',
        on: 'simulator',
        method: 'GET',
        path: '/boxes/{box}',
        until: ({ body }) => Number(valueAt(body, 'truth', 'speedKph')) > 5,
      },
    ],
    undoSteps: [box('park', {}, 'The driver parks the vehicle.')],
    detail: /moving/,
  },
  {
    name: 'door-is-open',
    about: 'The vehicle is parked with an open door, so it cannot be locked.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      UNLOCKED,
      box('doors', { open: true }, 'The driver stops and opens a door.'),
      {
        about: 'Waits until it is open.',
        on: 'simulator',
        method: 'GET',
        path: '/boxes/{box}',
        until: ({ body }) =>
          valueAt(body, 'truth', 'anyDoorOpen') === true && valueAt(body, 'truth', 'speedKph') === 0,
      },
      command(
        'commands/request-vehicle-state',
        'Waits until the service knows that the vehicle is standing still.',
        {
          until: ({ status, body }) => status === 200 && valueAt(body, 'doors_status', 'value') === 'OPEN',
        },
      ),
    ],
    undoSteps: [box('doors', { open: false }, 'The doors are shut.')],
    detail: /a door is open|moving/,
  },
  {
    name: 'lid-is-open',
    about: 'The lid of the top case is open, so it cannot be locked.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    steps: [
      ...STANDING,
      command('commands/unlock-top-case', 'The top case is unlocked.'),
      box('top-case', { open: true }, 'The lid is opened.'),
    ],
    undoSteps: [box('top-case', { open: false }, 'The lid is shut.')],
    detail: /the top case is open/,
  },
  {
    name: 'old-firmware',
    about: 'The box has a firmware of before workshop mode.',
    reserves: 'vehicle',
    unfitReason: withoutBox,
    prerequisites: ['capability'],
    rank: (vehicle) => (isOldFirmware(vehicle) ? 0 : 1),
    steps: [
      box('firmware', { version: OLD_FIRMWARE }, 'A workshop puts an older firmware in.', {
        when: isNewFirmware,
      }),
      {
        about: 'Waits until the box has reported its firmware.',
        on: 'api',
        method: 'GET',
        path: '/vehicles/{vehicle}',
        when: isNewFirmware,
        until: ({ body }) => valueAt(body, 'telematics_unit', 'firmware_version') === OLD_FIRMWARE,
      },
    ],
    undoSteps: [
      box('firmware', { version: '{firmware}' }, 'A workshop puts the firmware back that the box had.', {
        when: isNewFirmware,
      }),
      { ...UNTIL_READY, when: isNewFirmware },
    ],
    detail: /needs firmware 2\.24 or higher; the box has 2\.\d+\.$/,
  },
  {
    name: 'damage-detection-is-calibrating',
    about: 'Damage detection was put a moment ago, and the box still calibrates it, for 30 s.',
    reserves: 'vehicle',
    unfitReason: (vehicle) =>
      withoutBox(vehicle) ?? (vehicle.generation === 1 ? 'has a box without damage detection' : undefined),
    steps: [
      {
        about: 'Damage detection is put.',
        on: 'api',
        method: 'PUT',
        path: '/vehicles/{vehicle}/telematics-unit/feature-configuration/damage-detection',
        body: {},
        mayBeRefused: true,
      },
    ],
    undoSteps: [],
    detail: /damage-detection is being activated/,
  },
  {
    name: 'box-without-the-sensor',
    about: 'The box has no smoke sensor: it is of a hardware revision below 5.',
    reserves: 'vehicle',
    unfitReason: (vehicle) =>
      withoutBox(vehicle) ?? (hasSmokeSensor(vehicle) ? 'has a box with a smoke sensor' : undefined),
    prerequisites: [],
    steps: [],
    undoSteps: [],
    detail: /has no smoke sensor/,
  },
  {
    name: 'box-of-the-first-generation',
    about: 'The acceleration sensor of the box is too coarse for damage detection.',
    reserves: 'vehicle',
    unfitReason: (vehicle) =>
      withoutBox(vehicle) ?? (vehicle.generation === 1 ? undefined : 'has a box that can detect damage'),
    prerequisites: [],
    steps: [],
    undoSteps: [],
    detail: /too coarse/,
  },
  {
    name: 'hardwired-box',
    about: 'The box is wired in, so that it cannot notice being pulled off the diagnostic port.',
    reserves: 'vehicle',
    unfitReason: (vehicle) =>
      withoutBox(vehicle) ??
      (vehicle.installation === 'HARDWIRED' ? undefined : 'has its box on the diagnostic port'),
    steps: [],
    undoSteps: [],
    requestChange: () => ({ body: { obd_alarm: { enabled: true } } }),
    detail: /not installed on the diagnostic port/,
  },
];
