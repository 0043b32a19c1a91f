import { knownModelNames } from '../../protocol/models/known-models.ts';
import { BREAKS } from '../language/steps/breaks.ts';
import { COMMAND_FOLDERS } from '../language/steps/calls.ts';
import { WEATHER } from '../language/steps/weather.ts';
import { problemsOfCalls, problemsOfCommand } from './problems-of-calls.ts';

/** One table of cells: what stands in its rows and in its columns. */
export interface CoverageTable {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Whether such a cell can be met; absent: every one can. */
  readonly has?: (row: string, column: string) => boolean;
}

/** Commands that a box carries out or that are about its SIM card, by their names. */
const COMMANDS = [...COMMAND_FOLDERS.keys()];

/** Every fault by the name that a run tells it with: `weather cut`, `broker restart`. */
const FAULTS = [
  ...Object.keys(WEATHER).map((word) => `weather ${word}`),
  ...Object.entries(BREAKS).flatMap(([part, words]) => Object.keys(words).map((word) => `${part} ${word}`)),
];

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
