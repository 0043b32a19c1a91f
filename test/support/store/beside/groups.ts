import fc from 'fast-check';
import { POSTGRES_FAULTS, type PostgresFault } from '../postgres-fault-proxy.ts';

/** Calls that are made at the same time. Seeds say which: they are drawn of what the stores have then. */
export interface Group {
  readonly theme: number;
  readonly seeds: readonly number[];
  /** How much time has passed since the group before. */
  readonly passedMs: number;
  readonly faults: readonly PlannedFault[];
  /** A table that is altered before. */
  readonly altered: string | undefined;
}

interface PlannedFault {
  readonly request: number;
  readonly fault: PostgresFault;
}

const seed = fc.noShrink(fc.nat(2 ** 31 - 1));
// More than 5 s: so a store searches for vehicles of makers at each claim, and keeps nothing of that in memory.
const PASSED_MS = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(6_000, 11_000, 31_000) },
  { weight: 4, arbitrary: fc.constantFrom(11 * 60_000, 40 * 60_000) },
  { weight: 1, arbitrary: fc.constant(25 * 3_600_000) },
  // Longer than messages are kept.
  { weight: 1, arbitrary: fc.constant(8 * 24 * 3_600_000) },
);
/** Tables that are read with all columns. */
const ALTERED = [
  'commands',
  'configurations',
  'subscriptions',
  'outbox',
  'records',
  'users',
  'grants',
  'bulk_items',
];

function faultsOf(...kinds: readonly PostgresFault[]): fc.Arbitrary<readonly PlannedFault[]> {
  return fc.array(fc.record({ request: fc.oneof(fc.nat(2), fc.nat(9)), fault: fc.constantFrom(...kinds) }), {
    maxLength: 3,
  });
}

/** Groups of calls; `hasFaults`: on a line that fails. */
export function groups(hasFaults: boolean, maxLength: number): fc.Arbitrary<readonly Group[]> {
  const group: fc.Arbitrary<Group> = fc.record({
    theme: seed,
    seeds: fc.oneof(
      { weight: 1, arbitrary: fc.array(seed, { minLength: 1, maxLength: 1 }) },
      { weight: 3, arbitrary: fc.array(seed, { minLength: 2, maxLength: 4 }) },
    ),
    passedMs: PASSED_MS,
    faults: hasFaults ? faultsOf(...POSTGRES_FAULTS) : faultsOf('slow'),
    altered: hasFaults
      ? fc.oneof(
          { weight: 2, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom(...ALTERED) },
        )
      : fc.constant(undefined),
  });
  return fc.array(group, { minLength: Math.floor(maxLength / 2), maxLength, size: 'max' });
}
