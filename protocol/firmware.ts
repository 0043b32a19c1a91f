import type { Generation } from './message.ts';

/** The program of a box: major number, then minor. */
export type FirmwareVersion = readonly [major: number, minor: number];

/** The oldest and the newest program that is in the field; what its maker hands out lies between them. */
export const OLDEST_FIRMWARE: FirmwareVersion = [2, 10];
export const NEWEST_FIRMWARE: FirmwareVersion = [2, 40];

/**
 * What a box can do only from some version on, one row each, rising. A version has everything of the rows up to its
 * own. What is not in the table every version can do.
 */
export const FIRMWARE = [
  {
    ability: 'update-over-the-air',
    since: [2, 12],
    brings:
      'Two banks for programs: an update is downloaded, checked, installed, and taken back where it fails.',
  },
  {
    ability: 'tagged-wire',
    since: [2, 15],
    brings:
      'The tagged layout on hardware of generation 2. Before it, every box speaks and understands the packed layout of generation 1 only.',
  },
  {
    ability: 'resumed-download',
    since: [2, 20],
    brings: 'A download that was cut goes on where it was. Before it, it begins anew.',
  },
  {
    ability: 'workshop-mode',
    since: [2, 24],
    brings: 'Workshop mode, and the two commands that turn it on and off.',
  },
  {
    ability: 'wide-window',
    since: [2, 30],
    brings: 'Twice as many records of a journal may be on their way without a receipt.',
  },
] as const satisfies readonly AbilityRow[];

export interface AbilityRow {
  readonly ability: string;
  /** The first version that has it. */
  readonly since: FirmwareVersion;
  /** For people. */
  readonly brings: string;
}

export type Ability = (typeof FIRMWARE)[number]['ability'];

const sinceOf = Object.fromEntries(FIRMWARE.map((row) => [row.ability, row.since])) as Readonly<
  Record<Ability, FirmwareVersion>
>;

/** The first version that has it. */
export function firmwareWith(ability: Ability): FirmwareVersion {
  return sinceOf[ability];
}

/** Whether version `is` is `least` or higher: by major number, then by minor. */
export function isAtLeast(is: FirmwareVersion, least: FirmwareVersion): boolean {
  return is[0] > least[0] || (is[0] === least[0] && is[1] >= least[1]);
}

export function hasAbility(firmware: FirmwareVersion, ability: Ability): boolean {
  return isAtLeast(firmware, sinceOf[ability]);
}

/** Whether the maker of the boxes hands that version out. */
export function isReleased(firmware: FirmwareVersion): boolean {
  return isAtLeast(firmware, OLDEST_FIRMWARE) && isAtLeast(NEWEST_FIRMWARE, firmware);
}

/** The layout in which a box of that hardware writes and reads its frames while it runs that program. */
export function wireOf(hardware: Generation, firmware: FirmwareVersion): Generation {
  return hasAbility(firmware, 'tagged-wire') ? hardware : 1;
}
