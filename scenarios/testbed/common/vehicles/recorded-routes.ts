import { mappingOf } from '../../../../simulator/recorded-drives/columns.ts';
import { driveInFile } from '../../../../simulator/recorded-drives/drive.ts';
import { placedSentence } from '../../../../simulator/routes/remarks.ts';
import type { Route } from '../../../../simulator/routes/route.ts';
import { ROUTES } from '../../../../simulator/routes/routes.ts';
import type { FleetGroup } from '../../../language/document/scenario.ts';

/**
 * The built-in routes, and the recorded drives of these groups by the names of their files. Throws with the place in
 * the file where it is no drive.
 */
export function routesOf(
  fleet: readonly FleetGroup[],
  readFile: (file: string) => string | undefined = () => undefined,
): ReadonlyMap<string, Route> {
  // Groups with the same file read it in the same way.
  const files = new Map(
    fleet.flatMap(({ recordedDrive, driveColumns = {} }) =>
      recordedDrive === undefined ? [] : [[recordedDrive, driveColumns] as const],
    ),
  );
  if (files.size === 0) return ROUTES;
  const drives = [...files].map(([file, columns]) => {
    const text = readFile(file);
    if (text === undefined) throw new Error(`There is no file ${file}, which a group of the fleet replays.`);
    const read = driveInFile(file, text, { mapping: mappingOf(columns) });
    if (read.fault !== undefined) throw new Error(placedSentence(file, read.fault));
    return [file, read.route] as const;
  });
  return new Map([...ROUTES, ...drives]);
}
