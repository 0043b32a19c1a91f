import { operationName } from '../../contract/operation.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import { bringAbout, type CauseParts, type RequestAndAnswer } from './bring-about.ts';
import type { CandidateVehicle, Cause } from './cause.ts';
import type { CauseContext } from './cause-context.ts';
import { CAUSES } from './causes.ts';
import type { ProblemCause } from './table.ts';
import { unfitReason } from './unfit-reason.ts';

/** The result of a row: its answer, why there is none, or what prevents the request. */
export type ProblemAnswer =
  | { readonly asked: RequestAndAnswer }
  | { readonly failure: string }
  | { readonly missing: string };

export interface ProblemAnswers {
  readonly context: CauseContext;
  readonly results: ReadonlyMap<ProblemCause, ProblemAnswer>;
  /** The duration of each group. */
  readonly groups: readonly string[];
}

/** Rows that share one cause. */
interface Group {
  readonly cause: Cause;
  readonly vehicle: CandidateVehicle | undefined;
  readonly rows: ProblemCause[];
}

/** Roughly how long a cause and its undoing take, in milliseconds; others: a second. */
const BRINGING_MS: Readonly<Record<string, number>> = {
  'box-is-starting': 25_000,
  'no-coverage': 12_000,
  'vehicle-moves': 12_000,
  'door-is-open': 12_000,
  'box-is-silent': 3_000,
};
const AT_ONCE = 12;

/** The longest time that a box hangs for a slow cause, less the time to bring it about. */
const SLOW_GROUP_MS = 90_000;

/**
 * Walks rows of the table: each cause is brought about once for each vehicle that it needs, all operations are
 * requested, and it is undone. Causes without conflicts run in parallel. `answerTimeoutMs`: how long the service
 * waits for a silent box. Never rejects for a row.
 */
export async function walkProblems(
  parts: CauseParts,
  rows: readonly ProblemCause[],
  answerTimeoutMs: number,
): Promise<ProblemAnswers> {
  const { ports, context } = parts;
  const results = new Map<ProblemCause, ProblemAnswer>();
  const groups = groupRows(context, rows, answerTimeoutMs, results);
  const notes: string[] = [];
  const run = async (group: Group): Promise<void> => {
    const fromMs = ports.nowMs();
    await walkGroup(parts, group, results);
    const name = `${group.cause.name} ${group.vehicle?.model ?? ''} ${group.vehicle?.id ?? ''}`;
    notes.push(`${((ports.nowMs() - fromMs) / 1_000).toFixed(1)} s  ${group.rows.length}  ${name}`);
  };
  await inParallel(
    groups.filter(({ cause }) => cause.reserves !== 'service'),
    run,
  );
  for (const group of groups.filter(({ cause }) => cause.reserves === 'service')) await run(group);
  return { context, results, groups: notes };
}

function groupRows(
  context: CauseContext,
  rows: readonly ProblemCause[],
  answerTimeoutMs: number,
  results: Map<ProblemCause, ProblemAnswer>,
): readonly Group[] {
  const groups: Group[] = [];
  const slowRows = Math.max(1, Math.floor(SLOW_GROUP_MS / answerTimeoutMs));
  const hasRoom = ({ cause, rows: own }: Group) => cause.isSlow !== true || own.length < slowRows;
  const loadMs = new Map<string, number>();
  const load = (vehicle: CandidateVehicle | undefined) => loadMs.get(vehicle?.id ?? '') ?? 0;
  for (const row of rows) {
    const cause = CAUSES.get(row.cause);
    if (cause === undefined) {
      results.set(row, { failure: `There is no cause ${row.cause}.` });
      continue;
    }
    const isOnVehicle = !['nothing', 'shelf', 'service'].includes(cause.reserves);
    const fitting = context.vehicles
      .filter((vehicle) => unfitReason(cause, row.operation, vehicle) === undefined)
      .sort((a, b) => (cause.rank?.(a) ?? 0) - (cause.rank?.(b) ?? 0) || load(a) - load(b));
    const known = groups.find(
      (group) =>
        group.cause === cause &&
        hasRoom(group) &&
        (!isOnVehicle || (group.vehicle !== undefined && fitting.includes(group.vehicle))),
    );
    const [vehicle] = isOnVehicle ? fitting : context.vehicles;
    if (vehicle === undefined) {
      results.set(row, { missing: 'No vehicle fits.' });
      continue;
    }
    const isSame = known !== undefined && (cause.isSlow !== true || known.vehicle === vehicle);
    const other = groups.find(
      (group) => group.cause === cause && hasRoom(group) && group.vehicle === vehicle,
    );
    const group = isSame ? known : (other ?? { cause, vehicle, rows: [] });
    if (!groups.includes(group)) groups.push(group);
    group.rows.push(row);
    const costMs =
      (group.rows.length === 1 ? (BRINGING_MS[cause.name] ?? 1_000) : 0) +
      (cause.isSlow === true ? answerTimeoutMs : 20);
    if (isOnVehicle) loadMs.set(vehicle.id, load(group.vehicle) + costMs);
  }
  const lengthMs = ({ cause, rows: own }: Group) =>
    (BRINGING_MS[cause.name] ?? 1_000) + (cause.isSlow === true ? own.length * answerTimeoutMs : 0);
  return groups.sort((a, b) => lengthMs(b) - lengthMs(a));
}

async function walkGroup(
  parts: CauseParts,
  { cause, vehicle, rows }: Group,
  results: Map<ProblemCause, ProblemAnswer>,
): Promise<void> {
  try {
    const active = await bringAbout(
      parts,
      cause,
      cause.reserves === 'shelf' ? undefined : vehicle,
      rows.map((row) => row.operation),
    );
    for (const row of rows) {
      const { type } = PROBLEMS[row.problem];
      results.set(row, await asked(active.ask(row.operation, type)));
    }
    await active.undo();
  } catch (error) {
    // A cause that cannot be undone spoils later ones: their own rows report it.
    for (const row of rows)
      results.set(row, { failure: `${cause.name}, ${operationName(row.operation)}: ${String(error)}` });
  }
}

async function asked(answer: Promise<RequestAndAnswer>): Promise<ProblemAnswer> {
  return answer.then(
    (found) => ({ asked: found }),
    (error: unknown) => ({ failure: String(error) }),
  );
}

/** Runs the groups without conflicts, up to a few at once. */
async function inParallel(groups: readonly Group[], run: (group: Group) => Promise<void>): Promise<void> {
  const waiting = [...groups];
  const held = new Set<string>();
  const running = new Set<Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const index =
      running.size < AT_ONCE
        ? waiting.findIndex((group) => locksOf(group).every((lock) => !held.has(lock)))
        : -1;
    const [group] = index < 0 ? [] : waiting.splice(index, 1);
    if (group === undefined) {
      await Promise.race(running);
      continue;
    }
    const locks = locksOf(group);
    for (const lock of locks) held.add(lock);
    const run1 = run(group).finally(() => {
      for (const lock of locks) held.delete(lock);
      running.delete(run1);
    });
    running.add(run1);
  }
}

function locksOf({ cause, vehicle }: Group): readonly string[] {
  const own = vehicle === undefined ? [] : [vehicle.id];
  switch (cause.reserves) {
    case 'vehicle':
      return own;
    case 'provider':
      return [...own, `provider ${vehicle?.simProvider ?? ''}`];
    case 'maker':
      return [...own, 'maker'];
    case 'shelf':
      return ['shelf'];
    default:
      return [];
  }
}
