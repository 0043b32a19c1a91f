import type { StoreOutcome } from '../../../../backend/store/port/store-calls.ts';
import { type Contents, comparable, differences } from './contents.ts';
import type { DrawnCall, PositionOf } from './draw.ts';
import { answerOf, type EndedCall } from './outcome.ts';
import { openSqliteBeside, type SqliteBeside } from './sqlite-beside.ts';

/** What PostgreSQL has made of calls that were made at the same time. */
export interface Observed {
  /** In the order in which they ended. */
  readonly calls: readonly EndedCall[];
  /** Of PostgreSQL afterwards. */
  readonly contents: Contents;
}

/** The state before the calls, in SQLite. */
export interface Before {
  readonly bytes: Uint8Array;
  readonly nowMs: () => number;
  readonly positionOf: PositionOf;
}

/** What SQLite is to carry out of a call, and the answer that is expected; undefined: any. */
interface Step {
  readonly call: DrawnCall;
  readonly how: 'whole' | 'first statement';
  readonly answer: string | undefined;
}

/**
 * The store in SQLite after these calls one after the other, in an order in which they have the same results and leave the
 * same rows. A call that has failed is left out, or carried out if it says that this is possible. Throws if there is no
 * such order.
 */
export function explained(before: Before, observed: Observed): SqliteBeside {
  const tried: string[] = [];
  for (const steps of ways(observed.calls)) {
    const store = openSqliteBeside(before.bytes, before.nowMs);
    const mismatch = mismatchOf(store, steps, before, observed);
    if (mismatch === undefined) return store;
    store.close();
    tried.push(mismatch);
  }
  const [first = '', ...others] = tried;
  const calls = observed.calls.map(({ call, ending }) => `  ${shown(call)}\n    ${JSON.stringify(ending)}`);
  throw new Error(
    `No order of these calls explains what PostgreSQL has answered and has:\n${calls.join('\n')}\nIn this order: ${first}\n(and ${others.length} others)`,
  );
}

export function shown(call: DrawnCall): string {
  // Here a position is shown as the message that has it.
  const parameters = call.parameters(((messageId: string) => messageId) as unknown as PositionOf);
  return `${call.part}.${call.name} ${JSON.stringify(parameters)}`;
}

/** All orders of the calls, each with what may have come of those that failed. The first is the one in which they ended. */
function* ways(calls: readonly EndedCall[]): Generator<readonly Step[]> {
  for (const order of orders(calls)) yield* stepsOf(order);
}

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const others of orders(items.toSpliced(index, 1))) yield [item, ...others];
  }
}

function* stepsOf([first, ...others]: readonly EndedCall[]): Generator<readonly Step[]> {
  if (first === undefined) {
    yield [];
    return;
  }
  for (const steps of stepsOf(others)) for (const some of stepsOfOne(first)) yield [...some, ...steps];
}

function stepsOfOne({ call, ending }: EndedCall): readonly (readonly Step[])[] {
  const whole: Step = { call, how: 'whole', answer: undefined };
  if (ending.kind === 'answered') return [[{ call, how: 'whole', answer: ending.answer }]];
  // Its statements are committed one by one: backend/store/calls/isolation.ts.
  const parts: readonly (readonly Step[])[] =
    call.part === 'outbox' && call.name === 'sent' ? [[{ ...whole, how: 'first statement' }]] : [];
  return ending.kind === 'failed' ? [[], ...parts] : [[], ...parts, [whole]];
}

function mismatchOf(
  store: SqliteBeside,
  steps: readonly Step[],
  { positionOf, nowMs }: Before,
  { calls, contents }: Observed,
): string | undefined {
  const hasCompany = calls.length > 1;
  for (const { call, how, answer } of steps) {
    const outcome = carryOut(store, call, how, positionOf);
    const here = answerOf(call, outcome, hasCompany);
    if (answer !== undefined && here !== answer)
      return `${shown(call)}\n  PostgreSQL: ${answer}\n  SQLite:     ${here}`;
  }
  if (hasCompany && calls.some(({ call }) => call.part === 'vehicles' && call.name === 'change'))
    store.raiseVersions(contents.boxes);
  const lines = differences(comparable(contents, nowMs()), comparable(store.contents(), nowMs()));
  return lines.length === 0 ? undefined : `the rows differ\n  ${lines.join('\n  ')}`;
}

function carryOut(
  store: SqliteBeside,
  call: DrawnCall,
  how: Step['how'],
  positionOf: PositionOf,
): StoreOutcome {
  const { part, name } = call;
  if (how === 'whole') return store.carryOut({ part, name, parameters: call.parameters(positionOf) });
  // The first statement of the marks removes messages that wait, and the second counts those that were dropped.
  const [positions] = call.parameters(positionOf) as [readonly number[]];
  const waiting = new Set(store.contents().outbox.map((row) => row['position']));
  return store.carryOut({ part, name, parameters: [positions.filter((position) => waiting.has(position))] });
}
