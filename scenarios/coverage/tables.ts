import { PROBLEMS } from '../../backend/http/problem.ts';
import { knownModelNames } from '../../protocol/models/known-models.ts';
import { BREAKS } from '../language/steps/breaks.ts';
import { COMMAND_FOLDERS } from '../language/steps/calls.ts';
import { WEATHER } from '../language/steps/weather.ts';

/** One table of cells: what stands in its rows and in its columns. */
export interface CoverageTable {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
}

/** Commands that a box carries out or that are about its SIM card, by their names. */
const COMMANDS = [...COMMAND_FOLDERS.keys()];

/** Every fault by the name that a run tells it with: `weather cut`, `broker restart`. */
const FAULTS = [
  ...Object.keys(WEATHER).map((word) => `weather ${word}`),
  ...Object.entries(BREAKS).flatMap(([part, words]) => Object.keys(words).map((word) => `${part} ${word}`)),
];

const PROBLEM_NAMES = Object.keys(PROBLEMS);

/**
 * Statuses that say that a request is not well formed: its method, a header, its parameters or its body. The language
 * writes the request of a command itself, without a body, so that none of them can be its answer.
 */
const ILL_FORMED: ReadonlySet<number> = new Set([400, 405, 412, 413, 415]);

const PROBLEMS_OF_COMMANDS = Object.entries(PROBLEMS).flatMap(([name, { status }]) =>
  ILL_FORMED.has(status) ? [] : [name],
);

/** What a call can have been answered with. */
export const GOOD = 'carried out';
export const UNANSWERED = 'no answer';
/** No fault was in force between the call and its answer. */
export const NO_FAULT = 'none';

/** What can be under way when a fault begins, first what counts first. */
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

/** What is counted. Rows are commands but in the last two tables. */
export const COVERAGE = {
  model: {
    ...{ title: 'command × model', rows: COMMANDS },
    // Models of the user's own are known later than this table.
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
    columns: [GOOD, UNANSWERED, ...PROBLEMS_OF_COMMANDS],
  },
  cause: { title: 'problem × fault during the call', rows: PROBLEM_NAMES, columns: [...FAULTS, NO_FAULT] },
  phase: { title: 'fault × what was under way', rows: FAULTS, columns: PHASES },
} as const satisfies Readonly<Record<string, CoverageTable>>;

export type CoverageName = keyof typeof COVERAGE;

export const COVERAGE_NAMES = Object.keys(COVERAGE) as readonly CoverageName[];
