import type { ProblemKind } from '../../../contract/problems.ts';
import { NEWEST_FIRMWARE, OLDEST_FIRMWARE } from '../../../protocol/firmware.ts';
import type { COVERAGE } from '../../coverage/tables.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { command, setOff } from './aimed-row.ts';
import type { TimedStep } from './operation.ts';

/** The input of the steps towards a cell. */
export interface LeadContext {
  readonly atMs: number;
  readonly on: DrawnPart;
}

/** How a vehicle gets into one state in which it is to get commands. */
export interface StateLead {
  /** The vehicle's group, except for its name; absent: any. */
  readonly group?: (source: RandomSource, state: string) => DrawnPart;
  /** Once, before all commands; absent: no steps are needed. `untilMs` is after the last of them. */
  readonly begin?: (source: RandomSource, context: LeadContext, untilMs: number) => readonly TimedStep[];
  /** Before each command, that long before it at most. */
  readonly each?: (source: RandomSource, context: LeadContext) => readonly TimedStep[];
  /** The time from its beginning to the first command; absent: none. */
  readonly firstMs?: number;
}

/** A box that was reset has no power for some 3 s; after a brown-out it is dead as long, off and then boots. */
const BROWN_OUT = { break: { box: { 'brown-out': {} } } };

const resetBefore: StateLead['each'] = (source, { atMs, on }) => [
  { atMs: atMs - source.whole(1, 2_900), step: { ...on, break: { box: { reset: { reason: 'USER' } } } } },
];

type StateTable = 'connectivity' | 'sim' | 'power' | 'workshop';
/** A state of a box by its table and its name in the coverage: `power/asleep`. */
type StateName = {
  [Table in StateTable]: `${Table}/${(typeof COVERAGE)[Table]['columns'][number]}`;
}[StateTable];

/** Undefined: the coverage has no such state. */
export function stateLeadOf(table: string, state: string): StateLead | undefined {
  const name = `${table}/${state}`;
  return Object.hasOwn(STATE_LEADS, name) ? STATE_LEADS[name as StateName] : undefined;
}

/** States that need more than the vehicle's model or firmware. */
export const STATE_LEADS: Readonly<Record<StateName, StateLead>> = {
  'connectivity/off': { each: resetBefore, firstMs: 10_000 },
  'connectivity/offline': {
    begin: (_, { atMs, on }, untilMs) => [
      { atMs, step: { ...on, weather: { coverage: 'none' }, for: `${untilMs - atMs}ms` } },
    ],
    firstMs: 50_000,
  },
  'connectivity/connecting': {
    begin: (_, { atMs, on }, untilMs) => [
      { atMs, step: { ...on, weather: { latency: { base: '1500ms' } }, for: `${untilMs - atMs}ms` } },
    ],
    each: (source, { atMs, on }) => [
      { atMs: atMs - source.whole(1_000, 9_000), step: { ...on, weather: { cut: {} } } },
    ],
    firstMs: 10_000,
  },
  // The box connects, and its hello gets no answer.
  'connectivity/connected': {
    begin: (_, { atMs, on }, untilMs) => [
      { atMs, step: { break: { backend: { stall: {} } }, for: `${untilMs - atMs}ms` } },
      { atMs: atMs + 500, step: { ...on, weather: { cut: {} } } },
    ],
    firstMs: 10_000,
  },
  'connectivity/ready': {},
  'sim/active': {},
  'sim/suspended': {
    begin: (_, { atMs, on }, untilMs) => [
      { atMs, step: { ...on, ...command('request-sim-suspension') } },
      { atMs: untilMs, step: { ...on, ...command('request-sim-activation') } },
    ],
    firstMs: 20_000,
  },
  'sim/detached': {
    each: (source, { atMs, on }) => [
      { atMs: atMs - source.whole(100, 9_000), step: { ...on, ...command('network-detach') } },
    ],
    firstMs: 10_000,
  },
  'power/off': { each: resetBefore, firstMs: 10_000 },
  'power/up': {},
  'power/booting': {
    each: (source, { atMs, on }) => [
      { atMs: atMs - source.whole(3_300, 3_600), step: { ...on, ...BROWN_OUT } },
    ],
    firstMs: 10_000,
  },
  'power/dead': {
    each: (source, { atMs, on }) => [{ atMs: atMs - source.whole(1, 2_900), step: { ...on, ...BROWN_OUT } }],
    firstMs: 10_000,
  },
  'power/installing': {
    group: () => ({ firmware: '2.31' }),
    begin: (source, { atMs, on }) => [
      { atMs, step: { ...on, park: {} } },
      {
        atMs: atMs + 5_000,
        step: { ...on, update: { version: `2.${source.whole(32, 40)}`, image: 'right' } },
      },
    ],
    firstMs: 30_000,
  },
  'power/asleep': {
    begin: (_, { atMs, on }, untilMs) => [
      { atMs, step: { ...on, park: {} } },
      { atMs: atMs + 5_000, step: { ...on, supply: { state: 'low' } } },
      { atMs: untilMs, step: { ...on, supply: { state: 'good' } } },
    ],
    firstMs: 620_000,
  },
  'workshop/off': {},
  'workshop/on': {
    group: () => ({ firmware: '2.31' }),
    begin: (_, { atMs, on }) => [{ atMs, step: { ...on, ...command('activate-workshop-mode') } }],
    firstMs: 8_000,
  },
};

/** One of the released firmwares with this name in the coverage: `2.1x`. */
export function firmwareOf(source: RandomSource, column: string): string {
  const [major = '', tens = ''] = column.replace(/x$/, '').split('.');
  const least = Number(tens) * 10;
  const minors = Array.from({ length: 10 }, (_, index) => least + index).filter(
    (minor) => minor >= OLDEST_FIRMWARE[1] && minor <= NEWEST_FIRMWARE[1],
  );
  return `${major}.${drawnOne(source, minors)}`;
}

/** The steps that cause each problem of a call, by its name in the contract. `name` is the command of the call. */
export const PROBLEM_LEADS: Readonly<
  Partial<
    Record<ProblemKind, (context: LeadContext, name: string, source: RandomSource) => readonly TimedStep[]>
  >
> = {
  'validation-error': ({ atMs, on }) => [
    {
      atMs,
      step: { ...on, call: { request: { method: 'PATCH', path: '/vehicles/{vehicle}', body: { tags: 7 } } } },
    },
  ],
  'missing-credentials': ({ atMs, on }, name) => [
    { atMs, step: { ...on, call: { command: name, as: 'nobody' } } },
  ],
  'invalid-credentials': ({ atMs, on }, name) => [
    { atMs, step: { ...on, call: { command: name, as: 'forged' } } },
  ],
  'forbidden-resource': ({ atMs, on }, name) => [
    { atMs, step: { ...on, call: { command: name, as: 'reader' } } },
  ],
  'resource-not-found': ({ atMs, on }) => [
    { atMs, step: { ...on, call: { get: '/vehicles/{vehicle}/no-such-thing' } } },
  ],
  'method-not-allowed': ({ atMs, on }) => [
    { atMs, step: { ...on, call: { request: { method: 'DELETE', path: '/vehicles' } } } },
  ],
  'command-not-supported': ({ atMs, on }, name) => [
    { atMs, step: { ...on, ...command(name) } },
    { atMs: atMs + 500, step: { ...on, ...command('unlock-top-case') } },
    { atMs: atMs + 1_000, step: { ...on, ...command('unlock-battery-compartment') } },
  ],
  'shared-with-partner': ({ atMs, on }, name) => [
    { atMs: atMs - 2_000, step: { ...on, call: { share: 'partner' } } },
    { atMs, step: { ...on, ...command(name) } },
    { atMs: atMs + 1_000, step: { ...on, call: { command: 'request-sim-activation', as: 'partner' } } },
    { atMs: atMs + 4_000, step: { ...on, call: { unshare: {} } } },
  ],
  'conflicting-resource': ({ atMs, on }, name, source) => [
    { atMs: atMs - source.whole(500, 6_000), step: { ...on, ...command('board-reset') } },
    { atMs, step: { ...on, ...command(name) } },
  ],
  'conflicting-command': ({ atMs, on }, name, source) => [
    { atMs: atMs - source.whole(1, 100), step: { ...on, ...command('request-vehicle-state') } },
    { atMs, step: { ...on, ...command(name) } },
  ],
  'conflicting-state': ({ atMs, on }, name) => [
    ...setOff(atMs - 15_000, on, {}),
    { atMs, step: { ...on, ...command(name) } },
    { atMs: atMs + 10_000, step: { ...on, park: {} } },
  ],
  'no-connection': ({ atMs, on }, name) => [
    { atMs: atMs - 2_000, step: { ...on, weather: { coverage: 'none' }, for: '70s' } },
    { atMs: atMs - 1_000, step: { ...on, ...BROWN_OUT } },
    { atMs: atMs + 20_000, step: { ...on, ...command(name) } },
  ],
  'internal-server-error': ({ atMs, on }, name) => [
    { atMs: atMs - 500, step: { break: { store: { down: {} } }, for: '3s' } },
    { atMs, step: { ...on, ...command(name) } },
  ],
  'resource-modified': ({ atMs, on }) => [
    {
      atMs,
      step: {
        ...on,
        call: {
          request: {
            method: 'PATCH',
            path: '/vehicles/{vehicle}',
            body: { tags: ['late'] },
            headers: { 'If-Match': '"0"' },
          },
        },
      },
    },
  ],
  'unsupported-media-type': ({ atMs, on }) => [
    {
      atMs,
      step: {
        ...on,
        call: {
          request: {
            method: 'PATCH',
            path: '/vehicles/{vehicle}',
            body: {},
            headers: { 'Content-Type': 'text/plain' },
          },
        },
      },
    },
  ],
};
