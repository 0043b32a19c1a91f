import type { Generation } from './message.ts';
import { type Setting, settingNamed } from './settings.ts';

/** The properties of a box and its installation on which its features depend. */
export interface Hardware {
  readonly generation: Generation;
  /** From the hello; undefined: not received yet. */
  readonly hardwareRevision: number | undefined;
  /** undefined: not known. */
  readonly installation: 'OBD' | 'HARDWIRED' | undefined;
}

/** The first hardware revision of generation 2: boxes of generation 1 have revisions 1 to 3. */
const FIRST_OF_GENERATION_2 = 4;

/**
 * The generation of a box's hardware. While its revision is unknown, the generation of its layout is assumed.
 * A box with a known revision may write in an older layout, depending on its firmware (firmware.ts).
 */
export function generationOf(hardwareRevision: number | undefined, wire: Generation): Generation {
  if (hardwareRevision === undefined) return wire;
  return hardwareRevision >= FIRST_OF_GENERATION_2 ? 2 : 1;
}

/** The hardware or installation that a setting requires. */
export interface SettingRequirement {
  /** A prefix of the settings' names. */
  readonly settings: string;
  /** The first generation that has it. */
  readonly generation?: Generation;
  /** The first hardware revision that has it, whatever the generation. */
  readonly hardwareRevision?: number;
  readonly installation?: 'OBD';
  /** Completes 'The telematics unit ...'. */
  readonly lacks: string;
}

export const SETTING_REQUIREMENTS: readonly SettingRequirement[] = [
  {
    settings: 'damage.',
    generation: 2,
    lacks: 'is of a generation whose acceleration sensor is too coarse for damage detection',
  },
  { settings: 'smoke.', hardwareRevision: 5, lacks: 'has no smoke sensor' },
  {
    settings: 'box.obdAlarm',
    installation: 'OBD',
    lacks: 'is not installed on the diagnostic port, so it cannot notice being pulled off it',
  },
];

/**
 * The first requirement of these settings that the hardware does not meet. Settings at their default require
 * nothing: every box can leave a feature off. An unknown property of the hardware counts as met.
 */
export function unmetRequirement(
  settings: readonly Setting[],
  hardware: Hardware,
): SettingRequirement | undefined {
  const wanted = settings.filter(({ name, value }) => value !== settingNamed(name).standard);
  return SETTING_REQUIREMENTS.find(
    (requirement) =>
      !isMet(requirement, hardware) && wanted.some(({ name }) => name.startsWith(requirement.settings)),
  );
}

function isMet(
  requirement: SettingRequirement,
  { generation, hardwareRevision, installation }: Hardware,
): boolean {
  if (requirement.generation !== undefined && generation < requirement.generation) return false;
  if (
    requirement.installation !== undefined &&
    installation !== undefined &&
    installation !== requirement.installation
  )
    return false;
  return (
    requirement.hardwareRevision === undefined ||
    hardwareRevision === undefined ||
    hardwareRevision >= requirement.hardwareRevision
  );
}
