import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bug that is kept as a patch, with the three lines above it. */
export interface PlantedBug {
  /** `first/07-receipt-beyond-stored` */
  readonly name: string;
  /** The patch, as a path. */
  readonly file: string;
  /** What the code does wrong with it. */
  readonly bug: string;
  /** The room of the house that it is in: `firmware`. */
  readonly room: string;
  /** What somebody outside would see, and when. */
  readonly seen: string;
}

const HEAD = /^Bug: (?<bug>.+)\nRoom: (?<room>[a-z]+)\nSeen: (?<seen>.+)\n\ndiff --git /;

/** All bugs of the sets below a folder, in the order of their names. Throws where a patch has not its three lines. */
export function plantedBugs(folder: string, sets: readonly string[]): readonly PlantedBug[] {
  return sets.flatMap((set) =>
    readdirSync(join(folder, set))
      .filter((name) => name.endsWith('.patch'))
      .sort()
      .map((name) => {
        const file = join(folder, set, name);
        const groups = HEAD.exec(readFileSync(file, 'utf8'))?.groups;
        if (groups === undefined) throw new Error(`${file} does not begin with Bug:, Room: and Seen:.`);
        const { bug = '', room = '', seen = '' } = groups;
        return { name: `${set}/${name.replace('.patch', '')}`, file, bug, room, seen };
      }),
  );
}
