import { XMLBuilder } from 'fast-xml-parser';
import type { RunOutcome } from '../run/outcome.ts';
import { failuresOf, type RunFailure } from './failure.ts';
import { limits } from './limits.ts';
import { groupsOf, type PlayedScenario } from './played-scenario.ts';
import { stepText } from './step-text.ts';
import { runTimeText } from './time-text.ts';
import { timelineAround } from './timeline.ts';

type Element = Readonly<Record<string, unknown>>;

/**
 * JUnit XML as test servers read it: a testsuite for each scenario, and in it a testcase for the run, for each
 * expectation of the file and for each checker. Times are seconds on the wall clock; virtual ones are properties.
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
  const cases = casesOf(outcome, repeat);
  return {
    '@name': xmlText(scenario.name),
    '@file': xmlText(file),
    '@tests': cases.length,
    '@failures': cases.filter((one) => 'failure' in one).length,
    '@errors': cases.filter((one) => 'error' in one).length,
    '@skipped': 0,
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

function casesOf(outcome: RunOutcome, repeat: string): readonly Element[] {
  const failures = failuresOf(outcome);
  const named = [
    'run',
    ...groupsOf(outcome).map(({ path }) => path),
    ...new Set(outcome.warnings.map(({ step }) => stepText(outcome.scenario, step))),
    ...outcome.checkers.map(({ checker }) => checker),
  ];
  return named.map((of) => {
    const own = failures.filter((failure) => failure.of === of);
    const [first] = own;
    const warnings = outcome.warnings.filter(({ step }) => stepText(outcome.scenario, step) === of);
    if (first === undefined)
      return {
        '@name': xmlText(of),
        '@time': 0,
        ...(warnings.length === 0 ? {} : { 'system-out': xmlText(warningText(warnings)) }),
      };
    const wrong = {
      '@type': first.kind === 'run' ? outcome.verdict : first.kind,
      '@message': xmlText(own.length === 1 ? first.text : `${first.text} (and ${own.length - 1} more)`),
      '#text': xmlText(failureText(own, outcome, repeat)),
    };
    return { '@name': xmlText(of), '@time': 0, [first.kind === 'run' ? 'error' : 'failure']: wrong };
  });
}

/** What passed with a warning: JUnit has no word for it. */
function warningText(warnings: RunOutcome['warnings']): string {
  const told = warnings.slice(0, limits.toldFailures).map(({ vehicle, text }) => {
    return `warning: ${vehicle === undefined ? '' : `vehicle ${vehicle}: `}${text}`;
  });
  const rest = warnings.length - told.length;
  return [...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function failureText(failures: readonly RunFailure[], outcome: RunOutcome, repeat: string): string {
  const told = failures.slice(0, limits.toldFailures).map(({ vehicle, atMs, text }) => {
    const when = atMs === undefined ? '' : `${runTimeText(atMs - outcome.startMs)} `;
    return `${when}${vehicle === undefined ? '' : `vehicle ${vehicle}: `}${text}`;
  });
  const rest = failures.length - told.length;
  const [first] = failures;
  const lines = first === undefined ? [] : timelineAround(first, outcome).lines;
  return [
    ...told,
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(lines.length === 0 ? [] : ['', 'What happened around the first:']),
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
