import type { StoreCall } from '../port/store-calls.ts';
import { type Parts, READS } from '../port/store-reads.ts';
import type { VehicleChange } from '../port/vehicle-store.ts';

/**
 * How far a call is kept apart from others, in a database that carries out several at a time (PostgreSQL; SQLite has one
 * writer). docs/store.md, Isolation, says what each of them promises.
 */
export type Isolation =
  /** Its only statement, by itself. */
  | 'one statement'
  /** Reads: everything as it was at one moment. */
  | 'snapshot'
  /** Writes: each statement sees what was committed before it; rows that it changes are locked. */
  | 'read committed'
  /** Writes: as if no other call were carried out at the same time. */
  | 'serializable';

/**
 * The calls that are one statement, whatever is given to them. One that writes decides by no more than the rows that it
 * changes: PostgreSQL looks at them again once it has locked them. Only the two that make bulk items due look at vehicles
 * and boxes too, and those may be a moment old.
 */
export const ONE_STATEMENT: { readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[] } = {
  access: ['saveFleet', 'findFleet', 'saveClient', 'findClient', 'deleteClient'],
  grants: [
    'findUser',
    'findUserByName',
    'deleteUser',
    'findSession',
    'endSession',
    'findGrant',
    'findSecret',
    'spendSecret',
    'endGrant',
  ],
  // Not saveUnit, which gives a box the fleet of its vehicle.
  vehicles: ['find', 'findUnit', 'list'],
  ingest: ['loadCommands', 'forgetConnections', 'quarantined', 'countRecords', 'boxIds', 'records'],
  commands: ['find', 'isOpen', 'giveUp', 'withdraw'],
  outbox: ['next', 'nextByPartition', 'size', 'drops', 'dropped'],
  configuration: ['begin', 'read'],
  bulk: ['find', 'items', 'makeDueNow', 'makeConnectedDueNow', 'nextDueMs', 'prune'],
  setup: ['due', 'ofBoxes', 'nextDueMs'],
  thirdParty: ['refuse', 'postpone', 'nextDue'],
  subscriptions: ['setUser', 'finish', 'end', 'remove', 'nextOverdueMs'],
  census: ['count', 'probe'],
  clock: ['nowMs'],
  leases: ['sessionSubscribed'],
  quotas: [],
  installation: ['setKey'],
};

/** A call that is carried out with less isolation than others that write. */
export interface ReadCommittedCall {
  readonly call: { readonly [Part in keyof Parts]: `${Part}.${keyof Parts[Part] & string}` }[keyof Parts];
  /** What holds without more isolation. */
  readonly reason: string;
  /**
   * Its commit need not be on the medium when it is answered (`synchronous_commit`): losing it in a crash of the server
   * does no harm.
   */
  readonly mayBeLost?: true;
  /** With these parameters it is serializable all the same. */
  readonly unless?: (parameters: readonly unknown[]) => boolean;
}

const LOCKED_WHEN_CHOSEN =
  'The rows that it takes are locked when they are chosen; locked ones are left to their holder.';
const HELD_STILL = 'It frees rows only as long as the backend holds them.';

/** The hot calls: in full isolation they would often be carried out again, with everything that they write. */
export const READ_COMMITTED: readonly ReadCommittedCall[] = [
  {
    call: 'ingest.commit',
    reason: 'It was decided before, and each box is written on condition of its version.',
  },
  {
    call: 'outbox.sent',
    reason: 'It removes rows by their key, and counts what it has removed.',
  },
  {
    call: 'commands.open',
    reason:
      'Its insert waits for whoever settles the command before. What a box confirms while it looks further might as well be confirmed a moment later.',
  },
  {
    call: 'quotas.take',
    reason: 'The row of the client is locked when it is looked at.',
    mayBeLost: true,
  },
  {
    call: 'bulk.create',
    reason: 'The fleet is locked first: its jobs are counted and created one after the other.',
  },
  { call: 'bulk.lease', reason: LOCKED_WHEN_CHOSEN },
  { call: 'bulk.release', reason: HELD_STILL },
  { call: 'bulk.finish', reason: 'Each row is locked when it is looked at.' },
  {
    call: 'thirdParty.commit',
    reason:
      'The vehicle is written on condition of its version. A command that is opened while it looks might as well be opened a moment later.',
  },
  { call: 'thirdParty.claim', reason: LOCKED_WHEN_CHOSEN },
  { call: 'subscriptions.takeOverdue', reason: LOCKED_WHEN_CHOSEN },
  {
    call: 'leases.look',
    reason: `${LOCKED_WHEN_CHOSEN} A share that counted a backend too many or too few is mended by the next look.`,
  },
  {
    call: 'vehicles.change',
    reason:
      'It is written on condition of its revision. Only a change of the VIN looks at other vehicles, and is serializable.',
    unless: ([, change]) => 'vin' in ((change as VehicleChange).masterData ?? {}),
  },
  { call: 'leases.beginSession', reason: 'The row is locked when it is looked at.' },
  { call: 'leases.release', reason: HELD_STILL },
  { call: 'leases.leave', reason: HELD_STILL },
];

/** How a call is carried out. */
export interface CallIsolation {
  readonly isolation: Isolation;
  readonly mayBeLost: boolean;
}

const SERIALIZABLE: CallIsolation = { isolation: 'serializable', mayBeLost: false };
const SNAPSHOT: CallIsolation = { isolation: 'snapshot', mayBeLost: false };
const ALONE: CallIsolation = { isolation: 'one statement', mayBeLost: false };

const WITH_LESS = new Map<string, ReadCommittedCall>(READ_COMMITTED.map((row) => [row.call, row]));
const READING = namesOf(READS);
const OF_ONE_STATEMENT = namesOf(ONE_STATEMENT);

/** How a call is carried out. */
export function isolationOf({ part, name, parameters }: StoreCall): CallIsolation {
  const call = `${part}.${name}`;
  if (OF_ONE_STATEMENT.has(call)) return ALONE;
  if (READING.has(call)) return SNAPSHOT;
  const row = WITH_LESS.get(call);
  if (row === undefined || row.unless?.(parameters) === true) return SERIALIZABLE;
  return { isolation: 'read committed', mayBeLost: row.mayBeLost === true };
}

function namesOf(
  calls: {
    readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[];
  },
): ReadonlySet<string> {
  return new Set(
    Object.entries(calls).flatMap(([part, names]) => names.map((name) => `${part}.${String(name)}`)),
  );
}
