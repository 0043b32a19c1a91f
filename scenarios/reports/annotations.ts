import { CHECKER_NAMES, EVERY_CHECKER } from '../../judge/checkers.ts';
import { readSource } from '../language/document/yaml-source.ts';
import type { DocumentPlace } from '../language/vary/vary.ts';
import { reportLimits } from '../limits.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { runTimeText } from '../run/time-text.ts';
import { failuresOf, type RunFailure } from './failure.ts';
import { type PlayedScenario, pathOf } from './played-scenario.ts';
import { stepPath, stepText } from './step-text.ts';

/** An annotation of a code review at a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning';
  /** Its position: lines and columns from 1. Absent: no file, as for a scenario on standard input. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  readonly title: string;
  /** May have several lines. */
  readonly message: string;
}

/**
 * What went wrong in a run, at the lines of its scenario: one annotation for each expectation, checker and step, an
 * error where it failed the run, a warning where it did not; and one at the top for a run that got stuck or crashed.
 * `text`: the file as read. At most `limits.annotations`; the last one counts the omitted ones.
 */
export function annotationsOf(
  { file, outcome, repeat }: PlayedScenario,
  text: string,
): readonly Annotation[] {
  const source = readSource(text, file);
  const places = placesOf(outcome, source.ok ? source.value : undefined);
  const failures = failuresOf(outcome);
  const isFailed = new Set(failures.map(({ of }) => of));
  const warnings = outcome.warnings
    .map((warning) => ({
      ...warning,
      of: stepPath(outcome.scenario, warning.step),
      name: stepText(outcome.scenario, warning.step),
    }))
    .filter(({ of }) => !isFailed.has(of));
  const annotate = (level: Annotation['level']) => (all: readonly Notice[]) => {
    const of = all[0]?.of ?? '';
    const place = places.get(of) ?? [];
    const position = source.ok ? source.positionOf(place, place.length < 2 ? 'name' : 'value') : TOP;
    return {
      level,
      ...(file === STANDARD_INPUT ? {} : { place: { file, ...position } }),
      title: `${outcome.scenario.name}: ${all[0]?.name ?? ''}`,
      message: [
        ...noticeLines(all, outcome.startMs),
        ...(level === 'error' ? [`Repeat: ${repeat}`] : []),
      ].join('\n'),
    };
  };
  return bounded([
    ...[...Map.groupBy<string, Notice>(failures, ({ of }) => of).values()].map(annotate('error')),
    ...[...Map.groupBy<string, Notice>(warnings, ({ of }) => of).values()].map(annotate('warning')),
  ]);
}

type Notice = Pick<RunFailure, 'of' | 'name' | 'vehicle' | 'atMs' | 'text'>;

const STANDARD_INPUT = '-';
const TOP = { line: 1, column: 1 };

/** The first ones as sentences, with time and vehicle; the rest is counted. */
function noticeLines(all: readonly Notice[], startMs: number): readonly string[] {
  const told = all.slice(0, reportLimits.listedFailures).map(({ vehicle, atMs, text }) => {
    const when = atMs === undefined ? '' : `${runTimeText(atMs - startMs)} `;
    return `${when}${vehicle === undefined ? '' : `vehicle ${vehicle}: `}${text}`;
  });
  const rest = all.length - told.length;
  return rest > 0 ? [...told, `and ${rest} more`] : told;
}

/** The position in the document of what failed, by its name. */
function placesOf(outcome: RunOutcome, document: unknown): ReadonlyMap<string, DocumentPlace> {
  const { scenario, expectations, warnings } = outcome;
  const places = new Map<string, DocumentPlace>([['run', ['name']]]);
  for (const one of expectations) {
    const word = one.isNever ? 'never' : 'expect';
    const before = one.isNever ? (scenario.steps[one.step]?.expect.length ?? 0) : 0;
    places.set(pathOf(scenario, one), ['steps', one.step, word, Math.max(0, one.expectation - before)]);
  }
  for (const { step } of warnings) places.set(stepPath(scenario, step), ['steps', step]);
  const asked = alwaysIn(document);
  for (const name of CHECKER_NAMES) {
    const index = [asked.indexOf(name), asked.indexOf(EVERY_CHECKER)].find((one) => one >= 0);
    places.set(name, index === undefined ? ['always'] : ['always', index]);
  }
  return places;
}

/** The names below `always`, as they were written: one, or a list. */
function alwaysIn(document: unknown): readonly unknown[] {
  if (typeof document !== 'object' || document === null || !('always' in document)) return [];
  return Array.isArray(document.always) ? document.always : [document.always];
}

function bounded(all: readonly Annotation[]): readonly Annotation[] {
  const shown = all.slice(0, reportLimits.annotations);
  const last = shown.at(-1);
  const rest = all.length - shown.length;
  if (last === undefined || rest === 0) return shown;
  return shown.with(-1, {
    ...last,
    message: `${last.message}\n${rest} more went wrong: see the report of the run.`,
  });
}
