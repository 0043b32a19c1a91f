import { operationName } from '../../contract/operation.ts';
import { PROBLEMS, type ProblemKind } from '../../contract/problems.ts';
import type { CandidateVehicle, Cause } from './cause.ts';
import { CAUSES } from './causes.ts';
import { PROBLEM_TABLE, type ProblemCause } from './table.ts';
import { unfitReason } from './unfit-reason.ts';

const KINDS = Object.keys(PROBLEMS) as ProblemKind[];
const SUGGESTIONS = 3;

/**
 * The problems that a name matches: a row's name (`telematics-unit-error`), a type, or the last parts of one
 * (`no-connection`, `vehicle/no-connection`). None or several are possible.
 */
export function problemsNamed(name: string): readonly ProblemKind[] {
  const exact = KINDS.filter((kind) => kind === name);
  return exact.length > 0
    ? exact
    : KINDS.filter((kind) => `${PROBLEMS[kind].type}`.endsWith(`/${name.replace(/^\//, '')}`));
}

/** The problems with the names nearest to a wrong one. */
export function nearestProblems(name: string): readonly ProblemKind[] {
  const near = (kind: string): number => distance(kind, name);
  return [...KINDS].sort((a, b) => near(a) - near(b)).slice(0, SUGGESTIONS);
}

/** What to bring about. */
export interface ProblemWish {
  readonly problem: ProblemKind;
  /** An operation by its name, or the end of it: `lock-central-lock`. */
  readonly endpoint: string | undefined;
  readonly cause: string | undefined;
  readonly vehicleId: string | undefined;
}

export interface ChosenCause {
  readonly row: ProblemCause;
  readonly cause: Cause;
  readonly vehicle: CandidateVehicle | undefined;
}

/** The rows of a wish, for any vehicle. */
export function rowsOf({
  problem,
  endpoint,
  cause,
}: Omit<ProblemWish, 'vehicleId'>): readonly ProblemCause[] {
  return PROBLEM_TABLE.filter(
    (row) =>
      row.problem === problem &&
      (cause === undefined || row.cause === cause) &&
      (endpoint === undefined || isNamed(operationName(row.operation), endpoint)),
  );
}

/** The first row and vehicle that fit; or why the named vehicle does not, with one that does. Total. */
export function choose(
  wish: ProblemWish,
  vehicles: readonly CandidateVehicle[],
): ChosenCause | { readonly refusal: string } {
  const rows = rowsOf(wish);
  const named = vehicles.filter(({ id }) => wish.vehicleId === undefined || id === wish.vehicleId);
  const found = firstFit(rows, named, wish.vehicleId === undefined);
  if (found !== undefined) return found;
  if (wish.vehicleId === undefined) return { refusal: 'No vehicle here fits.' };
  const [vehicle] = named;
  if (vehicle === undefined)
    return {
      refusal: `The fleet has no vehicle ${wish.vehicleId} that is set up. GET /vehicles lists them.`,
    };
  const reasons = [...new Set(rows.map((row) => reasonOf(row, vehicle)))];
  const other = firstFit(rows, vehicles, true);
  const hint =
    other === undefined
      ? 'No other does either.'
      : other.vehicle === undefined || other.cause.reserves === 'shelf'
        ? 'Leave --vehicle out: one is onboarded to an unassigned box for it.'
        : `The vehicle ${other.vehicle.id} does.`;
  return {
    refusal: `The vehicle ${vehicle.id} does not fit: it ${reasons.slice(0, 3).join(', or ')}. ${hint}`,
  };
}

function firstFit(
  rows: readonly ProblemCause[],
  vehicles: readonly CandidateVehicle[],
  maySetUp: boolean,
): ChosenCause | undefined {
  for (const row of rows) {
    const cause = CAUSES.get(row.cause);
    if (cause === undefined || (cause.reserves === 'shelf' && !maySetUp)) continue;
    const { rank } = cause;
    const fitting = vehicles.filter((vehicle) => unfitReason(cause, row.operation, vehicle) === undefined);
    const [vehicle] = rank === undefined ? fitting : [...fitting].sort((a, b) => rank(a) - rank(b));
    if (cause.reserves === 'shelf') return { row, cause, vehicle: undefined };
    if (vehicle !== undefined) return { row, cause, vehicle };
  }
  return undefined;
}

function reasonOf(row: ProblemCause, vehicle: CandidateVehicle): string {
  const cause = CAUSES.get(row.cause);
  if (cause === undefined) return `knows no cause ${row.cause}`;
  return unfitReason(cause, row.operation, vehicle) ?? 'is set up already';
}

function isNamed(operation: string, name: string): boolean {
  return (
    operation === name || operation.endsWith(` ${name}`) || operation.endsWith(`/${name.replace(/^\//, '')}`)
  );
}

/** How many letters to change, insert or delete (Levenshtein). */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return before[b.length] ?? 0;
}
