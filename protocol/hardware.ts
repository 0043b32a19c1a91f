import type { Generation } from './message.ts';
import { type Setting, settingNamed } from './settings.ts';

/** What a box is and how it is installed, as far as its features depend on it. */
export interface Hardware {
  readonly generation: Generation;
  /** As the hello tells it; undefined: it has not told yet. */
  readonly hardwareRevision: number | undefined;
  /** undefined: not known. */
  readonly installation: 'OBD' | 'HARDWIRED' | undefined;
}

/** The first hardware revision of generation 2: boxes of generation 1 have revisions 1 to 3. */
const FIRST_OF_GENERATION_2 = 4;

/**
 * The generation of a box's hardware. A box whose revision is not known yet is taken for one of the layout in which it
 * writes; one that is known may write in an older layout, as its firmware has it (firmware.ts).
 */
export function generationOf(hardwareRevision: number | undefined, wire: Generation): Generation {
  if (hardwareRevision === undefined) return wire;
  return hardwareRevision >= FIRST_OF_GENERATION_2 ? 2 : 1;
}

/** What a setting needs beside a box. */
export interface Need {
  /** Settings whose names begin so. */
  readonly settings: string;
  /** The first generation that has it. */
  readonly generation?: Generation;
  /** The first hardware revision that has it, whatever the generation. */
  readonly hardwareRevision?: number;
  readonly installation?: 'OBD';
  /** Completes 'The telematics unit ...'. */
  readonly lacks: string;
}

export const NEEDS: readonly Need[] = [
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
 * The first need of these settings that the hardware does not meet. Settings at their standard value need nothing:
 * every box can leave something be. What is not known of the hardware does not stand against it.
 */
export function unmetNeed(settings: readonly Setting[], hardware: Hardware): Need | undefined {
  const wanted = settings.filter(({ name, value }) => value !== settingNamed(name).standard);
  return NEEDS.find(
    (need) => !isMet(need, hardware) && wanted.some(({ name }) => name.startsWith(need.settings)),
  );
}

function isMet(need: Need, { generation, hardwareRevision, installation }: Hardware): boolean {
  if (need.generation !== undefined && generation < need.generation) return false;
  if (need.installation !== undefined && installation !== undefined && installation !== need.installation)
    return false;
  return (
    need.hardwareRevision === undefined ||
    hardwareRevision === undefined ||
    hardwareRevision >= need.hardwareRevision
  );
}
