import { basename } from 'node:path';
import type { Route } from '../../simulator/routes/route.ts';
import { CommandError } from '../shared/command-error.ts';
import { inputBytes } from './input-file.ts';

/** The route of a file, and the gaps that were bridged in it, in sentences. */
export interface RouteInFile {
  readonly route: Route;
  readonly remarks: readonly string[];
}

/**
 * The route in a GPX or GeoJSON file, named after the file. Rejects with a `CommandError` that names the file, the
 * place in it and the reason where it cannot be driven.
 */
export async function readRouteFile(path: string): Promise<RouteInFile> {
  const bytes = inputBytes('route', path);
  // With the XML reader, which no other start needs.
  const { routeInFile } = await import('../../simulator/routes/file.ts');
  const read = routeInFile(basename(path), bytes);
  const { placedSentence, remarkSentence } = await import('../../simulator/routes/remarks.ts');
  if (read.fault !== undefined) throw new CommandError(`The route ${placedSentence(path, read.fault)}`);
  return { route: read.route, remarks: read.remarks.map((remark) => remarkSentence(path, remark)) };
}
