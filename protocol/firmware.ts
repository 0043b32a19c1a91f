import type { Generation } from './message.ts';

/** The firmware version of a box: major number, then minor. */
export type FirmwareVersion = readonly [major: number, minor: number];

/** The oldest and the newest version in use; all released versions are between them. */
export const OLDEST_FIRMWARE: FirmwareVersion = [2, 10];
export const NEWEST_FIRMWARE: FirmwareVersion = [2, 40];

/**
 * The abilities of a box that require some version, one row each, ascending. A version has the abilities
 * of all rows up to its own. Everything else is in every version.
 */
export const FIRMWARE_ABILITIES = [
  {
    ability: 'update-over-the-air',
    since: [2, 12],
    brings: 'Two program banks: an update is downloaded, checked, installed, and rolled back if it fails.',
  },
  {
    ability: 'tagged-wire',
    since: [2, 15],
    brings:
      'The tagged layout on hardware of generation 2. Older versions use only the packed layout of generation 1.',
  },
  {
    ability: 'resumed-download',
    since: [2, 20],
    brings: 'An interrupted download is resumed. In older versions it starts again.',
  },
  {
    ability: 'workshop-mode',
    since: [2, 24],
    brings: 'Workshop mode, and the two commands that turn it on and off.',
  },
  {
    ability: 'wide-window',
    since: [2, 30],
    brings: 'Twice as many records of a journal may be sent without a receipt.',
  },
] as const satisfies readonly FirmwareAbilityRow[];

export interface FirmwareAbilityRow {
  readonly ability: string;
  /** The first version that has it. */
  readonly since: FirmwareVersion;
  /** Text for people. */
  readonly brings: string;
}

export type FirmwareAbility = (typeof FIRMWARE_ABILITIES)[number]['ability'];

const sinceOf = Object.fromEntries(FIRMWARE_ABILITIES.map((row) => [row.ability, row.since])) as Readonly<
  Record<FirmwareAbility, FirmwareVersion>
>;

/** The first version that has it. */
export function firmwareWith(ability: FirmwareAbility): FirmwareVersion {
  return sinceOf[ability];
}

/** Whether version `is` is `least` or higher: by major number, then by minor. */
export function isAtLeast(is: FirmwareVersion, least: FirmwareVersion): boolean {
  return is[0] > least[0] || (is[0] === least[0] && is[1] >= least[1]);
}

export function hasAbility(firmware: FirmwareVersion, ability: FirmwareAbility): boolean {
  return isAtLeast(firmware, sinceOf[ability]);
}

/** Whether the maker of the boxes has released that version. */
export function isReleased(firmware: FirmwareVersion): boolean {
  return isAtLeast(firmware, OLDEST_FIRMWARE) && isAtLeast(NEWEST_FIRMWARE, firmware);
}

/** The names of all released versions, from the oldest one: `2.10`, `2.11`. They are of one major number. */
export function releasedFirmware(): readonly string[] {
  const [major, first] = OLDEST_FIRMWARE;
  return Array.from({ length: NEWEST_FIRMWARE[1] - first + 1 }, (_, index) => `${major}.${first + index}`);
}

/** The layout in which a box of that hardware writes and reads its frames with that firmware. */
export function wireGenerationOf(hardware: Generation, firmware: FirmwareVersion): Generation {
  return hasAbility(firmware, 'tagged-wire') ? hardware : 1;
}
