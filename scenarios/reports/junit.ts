import { XMLBuilder } from 'fast-xml-parser';
import { reportLimits } from '../limits.ts';
import type { RunOutcome } from '../run/outcome.ts';
import { runTimeText } from '../run/time-text.ts';
import { failuresOf, type RunFailure } from './failure.ts';
import { groupsOf, type PlayedScenario } from './played-scenario.ts';
import { stepPath, stepText } from './step-text.ts';
import { timelineAround } from './timeline.ts';
import { summarizeWarnings } from './warning-groups.ts';

type Element = Readonly<Record<string, unknown>>;

/**
 * JUnit XML as test servers read it: a testsuite for each scenario, and in it a testcase for the run, for each
 * expectation of the file and for each checker. Times are seconds on the wall clock; virtual ones are properties. The
 * run has all of the time, so that the sum of the cases equals that of the suite.
 */
export function junitXml(all: readonly PlayedScenario[]): string {
  const suites = all.map(suiteOf);
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    indentBy: '  ',
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const sum = (of: string): number => suites.reduce((total, suite) => total + Number(suite[of]), 0);
  const body: unknown = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'boxtwin',
      '@tests': sum('@tests'),
      '@failures': sum('@failures'),
      '@errors': sum('@errors'),
      '@time': seconds(all.reduce((total, { wallMs }) => total + wallMs, 0)),
      testsuite: suites,
    },
  });
  return String(body);
}

function suiteOf({ file, outcome, wallMs, repeat }: PlayedScenario): Element {
  const { scenario, seed, world, verdict, hash, startMs, endMs } = outcome;
  const cases = casesOf(outcome, { file, repeat, wallMs });
  return {
    '@name': xmlText(scenario.name),
    '@file': xmlText(file),
    '@tests': cases.length,
    '@failures': cases.filter((one) => 'failure' in one).length,
    '@errors': cases.filter((one) => 'error' in one).length,
    '@skipped': cases.filter((one) => 'skipped' in one).length,
    '@time': seconds(wallMs),
    properties: {
      property: Object.entries({
        about: scenario.about,
        seed,
        world,
        verdict,
        'virtual-seconds': seconds(endMs - startMs),
        ...(hash === undefined ? {} : { 'trace-hash': hash }),
        repeat,
      }).map(([name, value]) => ({ '@name': name, '@value': xmlText(String(value)) })),
    },
    testcase: cases.map((one) => ({ '@classname': xmlText(scenario.name), ...one })),
  };
}

/** A testcase: what it is of, by `RunFailure.of`, its name, and the step from 0. */
interface NamedCase {
  readonly of: string;
  readonly name: string;
  readonly step?: number;
  readonly isWarned?: boolean;
}

function casesOf(
  outcome: RunOutcome,
  { file, repeat, wallMs }: Pick<PlayedScenario, 'file' | 'repeat' | 'wallMs'>,
): readonly Element[] {
  const failures = failuresOf(outcome);
  // A test server follows a case by its name: a line that is inserted above must not change it.
  const { stepLines = [], ...scenario } = outcome.scenario;
  const warned = [...new Set(outcome.warnings.map(({ step }) => step))];
  const named: readonly NamedCase[] = [
    { of: 'run', name: 'run' },
    ...groupsOf({ ...outcome, scenario }).map(({ path, name, step }) => ({ of: path, name, step })),
    ...warned.map((step) => ({
      of: stepPath(scenario, step),
      name: stepText(scenario, step),
      step,
      isWarned: true,
    })),
    ...outcome.checkers.map(({ checker }) => ({ of: checker, name: checker })),
  ];
  const unjudged = new Map(
    outcome.checkers.flatMap(({ checker, result, text }) =>
      result === 'not-seen' ? [[checker as string, text] as const] : [],
    ),
  );
  return named.map(({ of, name, step, isWarned = false }) => {
    const own = failures.filter((failure) => failure.of === of);
    const [first] = own;
    const line = step === undefined ? undefined : stepLines[step];
    const head = {
      '@name': xmlText(name),
      ...(line === undefined ? {} : { '@file': xmlText(file), '@line': line }),
      '@time': of === 'run' ? seconds(wallMs) : 0,
    };
    if (first === undefined)
      return {
        ...head,
        ...(unjudged.has(of) ? { skipped: { '@message': xmlText(unjudged.get(of) ?? '') } } : {}),
        ...(isWarned && step !== undefined ? { 'system-out': xmlText(warningText(outcome, step)) } : {}),
      };
    const wrong = {
      '@type': first.kind === 'run' ? outcome.verdict : first.kind,
      '@message': xmlText(own.length === 1 ? first.text : `${first.text} (and ${own.length - 1} more)`),
      '#text': xmlText(failureText(own, outcome, repeat)),
    };
    return { ...head, [first.kind === 'run' ? 'error' : 'failure']: wrong };
  });
}

/** What passed with a warning: JUnit has no word for it. */
function warningText(outcome: RunOutcome, step: number): string {
  const { groups, rest } = summarizeWarnings(outcome, step);
  return [...groups.map(({ text }) => `warning: ${text}`), ...(rest === undefined ? [] : [rest])].join('\n');
}

/** What went wrong in sentences: of a step all, of an expectation or a checker the first ones. */
function failureLines(failures: readonly RunFailure[], outcome: RunOutcome): readonly string[] {
  const when = (atMs: number): string => `${runTimeText(atMs - outcome.startMs)} `;
  const [first] = failures;
  if (first?.kind === 'step') {
    const { groups, rest } = summarizeWarnings(outcome, first.step);
    return [...groups.map(({ atMs, text }) => `${when(atMs)}${text}`), ...(rest === undefined ? [] : [rest])];
  }
  const told = failures.slice(0, reportLimits.listedFailures).map(({ vehicle, atMs, text }) => {
    return `${atMs === undefined ? '' : when(atMs)}${vehicle === undefined ? '' : `vehicle ${vehicle}: `}${text}`;
  });
  const rest = failures.length - told.length;
  return rest > 0 ? [...told, `and ${rest} more`] : told;
}

function failureText(failures: readonly RunFailure[], outcome: RunOutcome, repeat: string): string {
  const [first] = failures;
  const { lines, leftOut } = first === undefined ? { lines: [], leftOut: 0 } : timelineAround(first, outcome);
  return [
    ...(first?.step === undefined ? [] : [`${first.name}:`]),
    ...failureLines(failures, outcome),
    ...(lines.length === 0 ? [] : ['', 'What happened around the first:']),
    ...(leftOut === 0 ? [] : [`(${leftOut} more are not shown)`]),
    ...lines.map(({ atMs, text }) => `${runTimeText(atMs)} ${text}`),
    '',
    `Repeat: ${repeat}`,
  ].join('\n');
}

/** XML 1.0 cannot hold other control characters or halves of surrogate pairs (section 2.2). */
export function xmlText(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}');
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
