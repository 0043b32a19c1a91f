import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import {
  printProblem,
  type ScenarioDocument,
  type ScenarioProblem,
} from '../../../scenarios/language/document/problem.ts';
import { readDocument } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import { readSource } from '../../../scenarios/language/document/yaml-source.ts';
import { applyDraw } from '../../../scenarios/language/vary/draw.ts';
import type { DocumentPlace } from '../../../scenarios/language/vary/vary.ts';
import { type DriveColumns, mappingOf } from '../../../simulator/recorded-drives/columns.ts';
import {
  driveInFile,
  driveSentence,
  isDriveTable,
  remarkSentence,
} from '../../../simulator/recorded-drives/drive.ts';
import { limits } from '../../../simulator/routes/limits.ts';
import { readCellularTrace } from '../../../world/network-faults/cellular-trace.ts';

/** The files beside a scenario that its weather plays or its vehicles replay, read before the run; and what is wrong with them. */
export interface LinkFiles {
  readonly readFile: (name: string) => string | undefined;
  /** With the place in the scenario that names the file; and as they are printed. */
  readonly faults: readonly ScenarioProblem[];
  readonly problems: readonly string[];
  /** What was bridged in recorded drives, in sentences. */
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
 * Reads the recorded links and drives that a scenario names, those among its choices to vary too. `text` is the scenario as it was
 * written, `file` its own place.
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
      const { fault: what, remarks: bridged = [] } = judged(
        kind,
        name,
        resolve(dirname(file), name),
        texts,
        columns,
      );
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

/** The scenario as it has to be written in another folder, so that it still plays and replays the files beside `file`. */
export function withLinkFilesFrom(document: ScenarioDocument, file: string, other: string): ScenarioDocument {
  const moved = (name: string): string => relative(dirname(other), resolve(dirname(file), name));
  const steps = (document['steps'] as readonly JsonObject[]).map((step) => {
    const { trace } = (step['weather'] ?? {}) as { readonly trace?: JsonObject };
    if (typeof trace?.['file'] !== 'string') return step;
    return { ...step, weather: { trace: { ...trace, file: moved(trace['file']) } } };
  });
  const groups = document['fleet'] as readonly JsonObject[] | undefined;
  const fleet = groups?.map((group) => {
    const { recorded_drive: drive } = group;
    return typeof drive === 'string' ? { ...group, recorded_drive: moved(drive) } : group;
  });
  return { ...document, ...(fleet === undefined ? {} : { fleet }), steps };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A choice may be the name of a file, or weather that names one: what a scenario with it plays. */
function namedInChoices({ vary }: Scenario, document: ScenarioDocument): readonly NamedLinkFile[] {
  return vary.flatMap(({ path, values }) =>
    (values.kind === 'choice' ? values.choices : []).flatMap((choice, index) => {
      const drawn = applyDraw(document, { [path]: choice });
      const checked = drawn.ok ? readDocument(drawn.document) : undefined;
      return checked?.ok === true
        ? namedIn(checked.scenario).map(({ kind, name, columns }) => ({
            ...{ kind, name, columns },
            place: ['vary', path, index] as const,
          }))
        : [];
    }),
  );
}

/** Reads a file into `texts` and judges it. */
function judged(
  kind: NamedLinkFile['kind'],
  name: string,
  path: string,
  texts: Map<string, string>,
  columns: DriveColumns | undefined,
): ContentJudgement {
  try {
    const { size } = statSync(path);
    if (size > limits.fileBytes)
      return { fault: `${name} has ${size} bytes; at most ${limits.fileBytes} are read.` };
    const bytes = readFileSync(path);
    texts.set(name, bytes.toString('utf8'));
    return kind === 'link' ? judgedLink(name, bytes.toString('utf8')) : judgedDrive(name, bytes, columns);
  } catch {
    return { fault: `There is no file ${name} beside the scenario that can be read.` };
  }
}

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
  if (read.fault !== undefined) return { fault: driveSentence(name, read.fault) };
  return { remarks: read.remarks.map((remark) => remarkSentence(name, remark)) };
}
