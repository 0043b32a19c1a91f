import { basename, resolve } from 'node:path';
import { parse } from 'yaml';
import type { DriveMapping } from '../../simulator/recorded-drives/columns.ts';
import type { Route } from '../../simulator/routes/route.ts';
import { CommandError } from '../shared/command-error.ts';
import type { DriveFiles } from '../shared/deployment-options.ts';
import { limits } from '../shared/limits.ts';
import { inputBytes, inputText } from './input-file.ts';
import { INPUT_FILES } from './input-kinds.ts';

/** The recorded drives of some files, in their order, and the gaps that were bridged in them, in sentences. */
export interface DrivesInFiles {
  readonly routes: readonly Route[];
  readonly remarks: readonly string[];
}

const WHAT = INPUT_FILES.drive.what;

/**
 * Reads recorded drives, each named after its file, and with a number where another route of `taken` has that name.
 * Rejects with a `CommandError` that names file, place and reason where one cannot be replayed, or where a file is
 * given twice.
 */
export async function readDriveFiles(
  { files, columnsFile }: DriveFiles,
  taken: Iterable<string> = [],
): Promise<DrivesInFiles> {
  if (columnsFile !== undefined && files.length === 0)
    throw new CommandError(
      '--drive-columns is of files that --drive names, and there is none. Give both or neither.',
    );
  const paths = files.map((file) => resolve(file));
  const again = paths.findIndex((path, index) => paths.indexOf(path) !== index);
  if (again >= 0)
    throw new CommandError(
      `${WHAT} ${files[again]} is given twice. Each vehicle takes one: omit one, or copy the file.`,
    );
  if (files.length === 0) return { routes: [], remarks: [] };
  // With the readers of XML and CSV, which no other start needs.
  const drive = await import('../../simulator/recorded-drives/drive.ts');
  const { placedSentence, remarkSentence } = await import('../../simulator/routes/remarks.ts');
  const mapping = columnsFile === undefined ? undefined : await readMapping(columnsFile);
  const names = new Set(taken);
  const routes: Route[] = [];
  const remarks: string[] = [];
  let hasTable = false;
  for (const file of files) {
    const bytes = inputBytes('drive', file);
    hasTable ||= drive.isDriveTable(bytes);
    const name = freeName(basename(file), names);
    const read = drive.driveInFile(name, bytes, { mapping });
    if (read.fault !== undefined) throw new CommandError(`${WHAT} ${placedSentence(file, read.fault)}`);
    names.add(name);
    routes.push(read.route);
    remarks.push(...read.remarks.map((remark) => remarkSentence(file, remark)));
  }
  if (columnsFile !== undefined && !hasTable)
    throw new CommandError(
      `--drive-columns ${columnsFile} is of CSV files, and none of the recorded drives is one.`,
    );
  return { routes, remarks };
}

function freeName(name: string, names: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; names.has(free); number += 1) free = `${name} (${number})`;
  return free;
}

async function readMapping(path: string): Promise<DriveMapping> {
  const { driveColumnsSchema, mappingOf } = await import('../../simulator/recorded-drives/columns.ts');
  const refuse = (why: string) =>
    new CommandError(`The mapping file ${path} (--drive-columns) cannot be used: ${why}`);
  const text = inputText('driveColumns', path);
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: limits.settingsAliases });
  } catch (error) {
    const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw refuse(`${first.replace(/[.:]?$/, '')}.`);
  }
  const read = driveColumnsSchema.safeParse(content);
  if (read.success) return mappingOf(read.data);
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw refuse(
      `${issue.keys.join(', ')}: a drive has no such column. It has: ${Object.keys(driveColumnsSchema.shape).join(', ')}.`,
    );
  const place = issue?.path.join('.') ?? '';
  throw refuse(
    place === ''
      ? 'it has to be one map, such as "speed: Velocity".'
      : `${place}: it takes ${issue?.message}.`,
  );
}
