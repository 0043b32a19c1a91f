import { writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve } from 'node:path';
import {
  printProblem,
  type ScenarioDocument,
  type ScenarioProblem,
} from '../../scenarios/language/document/problem.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import { readSource } from '../../scenarios/language/document/yaml-source.ts';
import { applyDraw } from '../../scenarios/language/vary/draw.ts';
import type { DocumentPlace } from '../../scenarios/language/vary/vary.ts';
import { type DriveColumns, mappingOf } from '../../simulator/recorded-drives/columns.ts';
import { driveInFile, isDriveTable } from '../../simulator/recorded-drives/drive.ts';
import { decodedText } from '../../simulator/routes/decode.ts';
import { placedSentence, remarkSentence } from '../../simulator/routes/remarks.ts';
import type { JsonObject } from '../../world/json.ts';
import { readCellularTrace } from '../../world/network-faults/cellular-trace.ts';
import { CommandError } from '../shared/command-error.ts';
import { readInputWithin } from './input-file.ts';
import { INPUT_FILES } from './input-kinds.ts';

/**
 * The files next to a scenario that its weather plays or its vehicles replay, read before the run; and what is wrong
 * with them.
 */
export interface LinkFiles {
  readonly readFile: (name: string) => string | undefined;
  /** With the place in the scenario that names the file; and as they are printed. */
  readonly faults: readonly ScenarioProblem[];
  readonly problems: readonly string[];
  /** The gaps that were bridged in recorded drives, in sentences. */
  readonly remarks: readonly string[];
}

/** A file that weather plays or vehicles replay, and where the scenario names it. */
interface NamedLinkFile {
  readonly kind: 'link' | 'drive';
  readonly name: string;
  readonly place: DocumentPlace;
  /** Of a drive: which of its columns hold what. */
  readonly columns?: DriveColumns | undefined;
}

/** What is wrong with a file's content, and what was bridged in it. */
interface ContentJudgement {
  readonly fault?: string;
  readonly remarks?: readonly string[];
}

/**
 * Reads the recorded links and drives that a scenario names, including those among its choices to vary. `text` is the
 * original text of the scenario, `file` its path.
 */
export function readLinkFiles(
  scenario: Scenario,
  document: ScenarioDocument,
  text: string,
  file: string,
): LinkFiles {
  const texts = new Map<string, string>();
  const known = new Set<string>();
  const remarks: string[] = [];
  const faults = [...namedIn(scenario), ...namedInChoices(scenario, document)].flatMap(
    ({ kind, name, place, columns }): readonly ScenarioProblem[] => {
      const key = `${kind} ${name} ${JSON.stringify(columns)}`;
      if (known.has(key)) return [];
      known.add(key);
      const { fault: what, remarks: bridged = [] } = judged(kind, name, dirname(file), texts, columns);
      remarks.push(...bridged);
      if (what === undefined) return [];
      const source = readSource(text, file);
      const spot = source.ok ? source.positionOf(place, 'value') : { line: 1, column: 1 };
      return [{ file, ...spot, message: what }];
    },
  );
  return {
    readFile: (name) => texts.get(name),
    faults,
    problems: faults.map((fault) => printProblem(fault, text)),
    remarks,
  };
}

/** The names of the recorded links that its weather plays, and of the drives that its vehicles replay. */
export function linkFilesOf(scenario: Scenario): readonly string[] {
  return namedIn(scenario).map(({ name }) => name);
}

function namedIn({ steps, fleet }: Scenario): readonly NamedLinkFile[] {
  const drives = fleet.flatMap(
    ({ recordedDrive: name, driveColumns: columns }, index): readonly NamedLinkFile[] =>
      name === undefined ? [] : [{ kind: 'drive', name, columns, place: ['fleet', index, 'recorded_drive'] }],
  );
  const links = steps.flatMap(({ does }, index): readonly NamedLinkFile[] => {
    if (does?.kind !== 'weather' || does.weather.name !== 'trace') return [];
    const { file } = does.weather.settings;
    return file === undefined
      ? []
      : [{ kind: 'link', name: file, place: ['steps', index, 'weather', 'trace', 'file'] }];
  });
  return [...drives, ...links];
}

/**
 * The scenario as it has to be written to `other`, so that it still plays and replays the files next to `file`. A
 * scenario names only files of its own folder, so those that `other` cannot name are copied next to it. Throws a
 * `CommandError` where one cannot be copied.
 */
export function withLinkFilesFrom(document: ScenarioDocument, file: string, other: string): ScenarioDocument {
  const folder = dirname(other);
  const moved = (kind: NamedLinkFile['kind'], name: string): string => {
    const way = relative(folder, resolve(dirname(file), name));
    return way.startsWith('..') || isAbsolute(way) ? copyInto(folder, kind, name, file) : way;
  };
  const steps = (document['steps'] as readonly JsonObject[]).map((step) => {
    const { trace } = (step['weather'] ?? {}) as { readonly trace?: JsonObject };
    if (typeof trace?.['file'] !== 'string') return step;
    return { ...step, weather: { trace: { ...trace, file: moved('link', trace['file']) } } };
  });
  const groups = document['fleet'] as readonly JsonObject[] | undefined;
  const fleet = groups?.map((group) => {
    const { recorded_drive: drive } = group;
    return typeof drive === 'string' ? { ...group, recorded_drive: moved('drive', drive) } : group;
  });
  return { ...document, ...(fleet === undefined ? {} : { fleet }), steps };
}

/**
 * Copies a file that the scenario `file` names into a folder, and returns its name there: a free one, or that of an
 * existing copy.
 */
function copyInto(folder: string, kind: NamedLinkFile['kind'], name: string, file: string): string {
  const refusal = (why: string) =>
    new CommandError(`${resolve(dirname(file), name)} cannot be copied to ${folder}: ${why}.`);
  const reading = readInputWithin(dirname(file), name, INPUT_FILES[kind].mostBytes);
  if ('fault' in reading) throw refusal(`it ${reading.fault}`);
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number += 1) {
    const copy = number === 1 ? `${stem}${ext}` : `${stem}-${number}${ext}`;
    try {
      // Never writes through a link or into a pipe: an existing entry of this name is left unchanged.
      writeFileSync(join(folder, copy), reading.bytes, { flag: 'wx' });
      return copy;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw refusal(`${message}. Give another --out`);
    }
    const there = readInputWithin(folder, copy, reading.bytes.length);
    if ('bytes' in there && Buffer.compare(there.bytes, reading.bytes) === 0) return copy;
  }
}

/** A choice may be the name of a file, or weather that names one: the files of a scenario with it. */
function namedInChoices({ vary }: Scenario, document: ScenarioDocument): readonly NamedLinkFile[] {
  return vary.flatMap(({ path, values }) =>
    (values.kind === 'choice' ? values.choices : []).flatMap((choice, index) => {
      const drawn = applyDraw(document, { [path]: choice });
      const checked = drawn.ok ? readDocument(drawn.document) : undefined;
      return checked?.ok === true
        ? namedIn(checked.scenario).map(({ kind, name, columns }) => ({
            kind,
            name,
            columns,
            place: ['vary', path, index] as const,
          }))
        : [];
    }),
  );
}

/** Reads a file below `folder` into `texts` and judges it. */
function judged(
  kind: NamedLinkFile['kind'],
  name: string,
  folder: string,
  texts: Map<string, string>,
  columns: DriveColumns | undefined,
): ContentJudgement {
  const reading = readInputWithin(folder, name, INPUT_FILES[kind].mostBytes);
  if ('fault' in reading) return { fault: `${name} ${reading.fault}. ${WHERE}` };
  const { bytes } = reading;
  const utf8 = Buffer.from(bytes).toString('utf8');
  // A drive may be in another encoding than UTF-8.
  texts.set(name, (kind === 'drive' ? decodedText(bytes).text : undefined) ?? utf8);
  return kind === 'link' ? judgedLink(name, utf8) : judgedDrive(name, bytes, columns);
}

const WHERE = 'Name a file that is in the folder of the scenario, or below it.';

function judgedLink(name: string, text: string): ContentJudgement {
  const read = readCellularTrace(text);
  if ('trace' in read) return {};
  const { line, what } = read.fault;
  return { fault: `${name}${line === undefined ? '' : `, line ${line}`}: ${what}.` };
}

function judgedDrive(name: string, bytes: Uint8Array, columns: DriveColumns = {}): ContentJudgement {
  if (Object.keys(columns).length > 0 && !isDriveTable(bytes))
    return { fault: `${name} is no CSV file, and drive_columns are of those. Leave them out.` };
  const read = driveInFile(name, bytes, { mapping: mappingOf(columns) });
  if (read.fault !== undefined) return { fault: placedSentence(name, read.fault) };
  return { remarks: read.remarks.map((remark) => remarkSentence(name, remark)) };
}
