import { PROBLEMS } from '../../contract/problems.ts';
import { knownModelNames } from '../../protocol/models/known-models.ts';
import { answerProblems, documentedCalls } from '../language/expectations/answer-bodies.ts';
import { BREAKS } from '../language/steps/breaks.ts';
import { COMMAND_FOLDERS } from '../language/steps/calls.ts';
import { WEATHER } from '../language/steps/weather.ts';

/**
 * Statuses for a malformed request: its method, a header, its parameters or its body. The language builds the request
 * of a command itself, without a body, so none of them can be its answer.
 */
const ILL_FORMED: ReadonlySet<number> = new Set([400, 405, 412, 413, 415]);

let ofCommands: ReadonlyMap<string, ReadonlySet<string>> | undefined;
let ofCalls: readonly string[] | undefined;

/** The problems that can answer a command, by their names: those that the document declares for its path. */
function problemsOfCommand(command: string): ReadonlySet<string> {
  ofCommands ??= new Map(
    [...COMMAND_FOLDERS.keys()].map((settings) => [
      settings,
      new Set(namesOf(answerProblems({ name: 'command', settings }), (status) => !ILL_FORMED.has(status))),
    ]),
  );
  return ofCommands.get(command) ?? new Set();
}

/**
 * The problems that can answer any call of the language, in the order of their table: `request` can use every path of
 * the document, with any content.
 */
function problemsOfCalls(): readonly string[] {
  ofCalls ??= namesOf(new Set(documentedCalls().flatMap((call) => [...answerProblems(call)])), () => true);
  return ofCalls;
}

function namesOf(types: ReadonlySet<string>, suits: (status: number) => boolean): readonly string[] {
  return Object.entries(PROBLEMS).flatMap(([name, { type, status }]) =>
    types.has(type) && suits(status) ? [name] : [],
  );
}

/** One table of cells, with its rows and columns. */
export interface CoverageTable {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Whether such a cell can be met; absent: every one can. */
  readonly has?: (row: string, column: string) => boolean;
}

/** Commands that a box carries out or that are about its SIM card, by their names. */
const COMMANDS = [...COMMAND_FOLDERS.keys()];

/** Every fault by its name in a run's facts: `weather cut`, `broker restart`. */
const FAULTS = [
  ...Object.keys(WEATHER).map((word) => `weather ${word}`),
  ...Object.entries(BREAKS).flatMap(([part, words]) => Object.keys(words).map((word) => `${part} ${word}`)),
];

/** The possible answers to a call. */
export const GOOD = 'carried out';
export const UNANSWERED = 'no answer';
/** No fault was active between the call and its answer. */
export const NO_FAULT = 'none';

/** The states in which a fault can begin, by precedence. */
export const PHASES = [
  'a command',
  'a configuration',
  'a bulk job',
  'another call',
  'connecting',
  'frames without receipt',
  'nothing',
] as const;

export type Phase = (typeof PHASES)[number];

/** What is counted. Rows are commands except in the last two tables. */
export const COVERAGE = {
  model: {
    title: 'command × model',
    rows: COMMANDS,
    // The user's own models are loaded after this table.
    get columns() {
      return knownModelNames();
    },
  },
  firmware: { title: 'command × firmware', rows: COMMANDS, columns: ['2.1x', '2.2x', '2.3x', '2.4x'] },
  connectivity: {
    title: "command × the box's session",
    rows: COMMANDS,
    columns: ['off', 'offline', 'connecting', 'connected', 'ready'],
  },
  sim: { title: 'command × SIM card', rows: COMMANDS, columns: ['active', 'suspended', 'detached'] },
  power: {
    title: "command × the box's power",
    rows: COMMANDS,
    columns: ['off', 'booting', 'up', 'dead', 'installing', 'asleep'],
  },
  workshop: { title: 'command × workshop mode', rows: COMMANDS, columns: ['on', 'off'] },
  problem: {
    title: 'command × answer',
    rows: COMMANDS,
    get columns() {
      const some = new Set(COMMANDS.flatMap((command) => [...problemsOfCommand(command)]));
      return [GOOD, UNANSWERED, ...problemsOfCalls().filter((problem) => some.has(problem))];
    },
    has: (command: string, answer: string) =>
      answer === GOOD || answer === UNANSWERED || problemsOfCommand(command).has(answer),
  },
  cause: {
    title: 'problem × fault during the call',
    get rows() {
      return problemsOfCalls();
    },
    columns: [...FAULTS, NO_FAULT],
  },
  phase: { title: 'fault × what was under way', rows: FAULTS, columns: PHASES },
} as const satisfies Readonly<Record<string, CoverageTable>>;

export type CoverageName = keyof typeof COVERAGE;

export const COVERAGE_NAMES = Object.keys(COVERAGE) as readonly CoverageName[];
