import type { Candidate, Cause, Step } from './cause.ts';
import { at, box, command, STANDING, UNTIL_READY, untilRefused } from './steps.ts';

const OLD_FIRMWARE = '2.20';
const NEEDED_MINOR = 24;

/** Shorter than the watchdog's patience (2 min). */
const SILENCE_S = 110;

const withoutBox = ({ telematics }: Candidate): string | undefined =>
  telematics === 'box' ? undefined : 'has no telematics unit';

/** Whether the firmware is one of before workshop mode. */
export function isOldFirmware({ firmware }: Pick<Candidate, 'firmware'>): boolean {
  const [major = 0, minor = 0] = (firmware ?? '').split('.').map(Number);
  return firmware !== undefined && (major < 2 || (major === 2 && minor < NEEDED_MINOR));
}

/** Hardware revisions from this on have it. */
export function hasSmokeSensor({ hardwareRevision }: Pick<Candidate, 'hardwareRevision'>): boolean {
  return (hardwareRevision ?? 0) >= 5;
}

const isNewFirmware = (vehicle: Candidate): boolean => !isOldFirmware(vehicle);
const can = (name: string) => (vehicle: Candidate) => vehicle.capabilities.includes(name);

const SILENT = box('silence', { seconds: SILENCE_S }, "The box's application hangs.");
const SPEAKING: readonly Step[] = [
  box('silence', { seconds: 0 }, "The box's application goes on."),
  UNTIL_READY,
];
const UNLOCKED = command('commands/unlock-central-lock', 'The central lock is unlocked.', {
  when: can('UNLOCK_CENTRAL_LOCK'),
  mayBeRefused: true,
});

/** What is so with a vehicle's box, or with the vehicle around it. */
export const CAUSES_OF_BOXES: readonly Cause[] = [
  {
    name: 'box-is-starting',
    says: 'A workshop writes the firmware of the box anew, for which the box goes down for some 20 s.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      box('firmware', { version: '{firmware}' }, 'The box goes down for its firmware, and says so before.'),
      untilRefused('conflicting-resource'),
    ],
    undo: [UNTIL_READY],
    detail: /starting or updating/,
  },
  {
    name: 'no-coverage',
    says: 'The vehicle is where there is no radio coverage.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      ...STANDING,
      box('coverage', { available: false }, 'Radio coverage ends.'),
      untilRefused('no-connection'),
    ],
    undo: [box('coverage', { available: true }, 'Radio coverage is there again.'), UNTIL_READY],
    detail: /did not connect/,
  },
  {
    name: 'box-is-silent',
    says: 'The box is connected, and its application hangs.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [...STANDING, SILENT],
    undo: SPEAKING,
    detail: /did not answer/,
    isSlow: true,
  },
  {
    name: 'another-command-is-open',
    says: 'The box hangs over another command.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      SILENT,
      command('box-commands/request-system-status', 'The box is sent a command that it does not answer.', {
        isHeld: true,
      }),
    ],
    undo: SPEAKING,
    detail: /Another command of this vehicle is being carried out/,
  },
  {
    name: 'box-fails',
    says: 'An output of the box is broken, and it says so to whatever it is told.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      ...STANDING,
      box(
        'box-error',
        { text: 'output driver over temperature', once: false },
        'Something in the box breaks.',
      ),
    ],
    undo: [box('box-error', {}, 'It is mended.'), UNTIL_READY],
    detail: /output driver over temperature/,
  },
  {
    name: 'vehicle-moves',
    says: 'The vehicle is under way.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      command('commands/enable-driving', 'Driving is enabled.', { mayBeRefused: true }),
      UNLOCKED,
      box('drive', {}, 'Somebody drives off.'),
      {
        says: 'Waits until it moves.',
        on: 'simulator',
        method: 'GET',
        path: '/boxes/{box}',
        until: ({ body }) => Number(at(body, 'truth', 'speedKph')) > 5,
      },
    ],
    undo: [box('park', {}, 'The driver parks the vehicle.')],
    detail: /moving/,
  },
  {
    name: 'door-is-open',
    says: 'The vehicle stands with a door open, which cannot be locked.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      UNLOCKED,
      box('doors', { open: true }, 'The driver stops and opens a door.'),
      {
        says: 'Waits until it stands open.',
        on: 'simulator',
        method: 'GET',
        path: '/boxes/{box}',
        until: ({ body }) => at(body, 'truth', 'anyDoorOpen') === true && at(body, 'truth', 'speedKph') === 0,
      },
      command('commands/request-vehicle-state', 'Waits until the service knows that it stands.', {
        until: ({ status, body }) => status === 200 && at(body, 'doors_status', 'value') === 'OPEN',
      }),
    ],
    undo: [box('doors', { open: false }, 'The doors are shut.')],
    detail: /a door is open|moving/,
  },
  {
    name: 'lid-is-open',
    says: 'The lid of the top case stands open, so that it cannot be locked.',
    holds: 'vehicle',
    unfit: withoutBox,
    bring: [
      ...STANDING,
      command('commands/unlock-top-case', 'The top case is unlocked.'),
      box('top-case', { open: true }, 'Somebody opens the lid.'),
    ],
    undo: [box('top-case', { open: false }, 'The lid is shut.')],
    detail: /the top case is open/,
  },
  {
    name: 'old-firmware',
    says: 'The box has a firmware of before workshop mode.',
    holds: 'vehicle',
    unfit: withoutBox,
    passes: ['capability'],
    rank: (vehicle) => (isOldFirmware(vehicle) ? 0 : 1),
    bring: [
      box('firmware', { version: OLD_FIRMWARE }, 'A workshop puts an older firmware in.', {
        when: isNewFirmware,
      }),
      {
        says: 'Waits until the box has told its firmware.',
        on: 'api',
        method: 'GET',
        path: '/vehicles/{vehicle}',
        when: isNewFirmware,
        until: ({ body }) => at(body, 'telematics_unit', 'firmware_version') === OLD_FIRMWARE,
      },
    ],
    undo: [
      box('firmware', { version: '{firmware}' }, 'A workshop puts the firmware back that the box had.', {
        when: isNewFirmware,
      }),
      { ...UNTIL_READY, when: isNewFirmware },
    ],
    detail: /needs firmware 2\.24 or higher; the box has 2\.\d+\.$/,
  },
  {
    name: 'damage-detection-is-calibrating',
    says: 'Damage detection was put a moment ago, and the box still calibrates it, for 30 s.',
    holds: 'vehicle',
    unfit: (vehicle) =>
      withoutBox(vehicle) ?? (vehicle.generation === 1 ? 'has a box without damage detection' : undefined),
    bring: [
      {
        says: 'Damage detection is put.',
        on: 'api',
        method: 'PUT',
        path: '/vehicles/{vehicle}/telematics-unit/feature-configuration/damage-detection',
        body: {},
        mayBeRefused: true,
      },
    ],
    undo: [],
    detail: /damage-detection is being activated/,
  },
  {
    name: 'box-without-the-sensor',
    says: 'The box has no smoke sensor: it is of a hardware revision below 5.',
    holds: 'vehicle',
    unfit: (vehicle) =>
      withoutBox(vehicle) ?? (hasSmokeSensor(vehicle) ? 'has a box with a smoke sensor' : undefined),
    passes: [],
    bring: [],
    undo: [],
    detail: /has no smoke sensor/,
  },
  {
    name: 'box-of-the-first-generation',
    says: 'The acceleration sensor of the box is too coarse for damage detection.',
    holds: 'vehicle',
    unfit: (vehicle) =>
      withoutBox(vehicle) ?? (vehicle.generation === 1 ? undefined : 'has a box that can detect damage'),
    passes: [],
    bring: [],
    undo: [],
    detail: /too coarse/,
  },
  {
    name: 'hardwired-box',
    says: 'The box is wired in, so that it cannot notice being pulled off the diagnostic port.',
    holds: 'vehicle',
    unfit: (vehicle) =>
      withoutBox(vehicle) ??
      (vehicle.installation === 'HARDWIRED' ? undefined : 'has its box on the diagnostic port'),
    bring: [],
    undo: [],
    twist: () => ({ body: { obd_alarm: { enabled: true } } }),
    detail: /not installed on the diagnostic port/,
  },
];
