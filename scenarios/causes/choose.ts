import leven from 'leven';
import { operationName } from '../../contract/operation.ts';
import { PROBLEMS, type ProblemKind } from '../../contract/problems.ts';
import { listed } from '../../judge/wording.ts';
import { nearestHint, nearestOrSome } from '../language/document/nearest.ts';
import type { CandidateVehicle, Cause } from './cause.ts';
import { CAUSES } from './causes.ts';
import { PROBLEM_TABLE, type ProblemCause } from './table.ts';
import { unfitReason } from './unfit-reason.ts';

const KINDS = Object.keys(PROBLEMS) as ProblemKind[];
const SUGGESTIONS = 3;
/** How many endpoints are named where none is meant. */
const OFFERED_ENDPOINTS = 5;

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
  const near = (kind: string): number => leven(kind, name);
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

/** Why a wish has no rows: its cause, its endpoint, or both together. */
export function rowlessReason({ problem, endpoint, cause }: Omit<ProblemWish, 'vehicleId'>): string {
  const rows = rowsOf({ problem, endpoint: undefined, cause: undefined });
  const causes = [...new Set(rows.map((row) => row.cause))];
  if (cause !== undefined && !causes.includes(cause))
    return said(
      `${problem} has no cause ${JSON.stringify(cause)}.`,
      nearestHint(cause, causes),
      `Its causes are ${listed(causes, 'and')}.`,
    );
  const ofCause = rowsOf({ problem, endpoint: undefined, cause });
  const operations = [...new Set(ofCause.map((row) => operationName(row.operation)))];
  const some = operations.slice(0, OFFERED_ENDPOINTS);
  const among = operations.length > some.length ? 'Among those that do are' : 'Those that do are';
  return said(
    `No endpoint ${JSON.stringify(endpoint ?? '')} answers with ${problem}${cause === undefined ? '' : ` because of ${cause}`}.`,
    nearestHint(endpoint ?? '', [...new Set(operations.map((name) => name.split('/').at(-1) ?? ''))]) ??
      `${among} ${listed(some, 'and')}.`,
  );
}

function said(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
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
      refusal: [
        `The fleet has no vehicle ${wish.vehicleId} that is set up.`,
        nearestOrSome(
          wish.vehicleId,
          vehicles.map(({ id }) => id),
        ) ?? 'It has none at all.',
        '"boxtwin vehicles" lists them.',
      ].join(' '),
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
