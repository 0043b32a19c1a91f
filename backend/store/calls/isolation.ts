import { type Parts, READS } from '../port/store.ts';
import type { StoreCall } from '../port/store-calls.ts';
import type { VehicleChange } from '../port/vehicle-store.ts';

/**
 * The isolation of a call, in a database with concurrent calls (PostgreSQL; SQLite has one writer). docs/store.md,
 * Isolation, states the guarantee of each.
 */
export type Isolation =
  /** A single statement without a transaction. */
  | 'one statement'
  /** Each statement is committed by itself. */
  | 'statement by statement'
  /** Reads: everything as it was at one moment. */
  | 'snapshot'
  /** Writes: each statement sees what was committed before it; rows that it changes are locked. */
  | 'read committed'
  /** Writes: as if no other call ran at the same time. */
  | 'serializable';

/**
 * The calls that always are one statement. Those that write depend only on the rows that they change: PostgreSQL
 * rechecks these once it has locked them. Only the two that make bulk items due also read vehicles and boxes, which may
 * be slightly outdated.
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
  // Not saveUnit and saveMakerUnit, which read the fleet of the vehicle.
  vehicles: ['find', 'findUnit', 'findMakerUnit', 'list'],
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
  /** Each of its statements is committed by itself: a transaction around them would be two more round trips. */
  readonly isStatementByStatement?: true;
  /** With these parameters it is serializable nevertheless. */
  readonly unless?: (parameters: readonly unknown[]) => boolean;
}

const LOCKED_WHEN_CHOSEN =
  'The rows that it takes are locked when they are chosen; locked ones are left to their holder.';
const HELD_STILL = 'It frees rows only as long as the backend holds them.';

/** The hot calls: in full isolation they would often be retried, with all their writes. */
export const READ_COMMITTED: readonly ReadCommittedCall[] = [
  {
    call: 'ingest.commit',
    reason: 'It was decided before, and each box is written on condition of its version.',
  },
  {
    call: 'outbox.sent',
    reason:
      'It removes rows by their key, and counts what it has removed. If the second of its statements fails, the same marks come again: then the first one removes nothing, and the second one counts.',
    isStatementByStatement: true,
  },
  {
    call: 'commands.open',
    reason:
      'Its insert waits for the transaction that settles the previous command. A confirmation of a box during the search is equivalent to a slightly later one.',
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
  const isolation = row.isStatementByStatement === true ? 'statement by statement' : 'read committed';
  return { isolation, mayBeLost: row.mayBeLost === true };
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
