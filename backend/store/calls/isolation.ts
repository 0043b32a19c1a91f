import { type Parts, READS } from '../port/store-reads.ts';

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
 * changes: PostgreSQL looks at them again once it has locked them.
 */
export const ONE_STATEMENT: { readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[] } = {
  access: ['saveFleet', 'findFleet', 'saveClient', 'findClient', 'deleteClient'],
  grants: [],
  vehicles: [],
  ingest: [],
  commands: [],
  outbox: [],
  configuration: [],
  bulk: [],
  setup: [],
  thirdParty: [],
  subscriptions: [],
  census: [],
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
}

/** The hot calls: in full isolation they would often be carried out again, with everything that they write. */
export const READ_COMMITTED: readonly ReadCommittedCall[] = [
  {
    call: 'ingest.commit',
    reason: 'It was decided before, and each box is written on condition of its version.',
  },
  {
    call: 'outbox.sent',
    reason: 'It removes rows by their key, and counts what it has removed.',
    mayBeLost: true,
  },
  {
    call: 'bulk.lease',
    reason: 'The rows that are due are locked when they are chosen; locked ones are left to their holder.',
  },
  {
    call: 'thirdParty.claim',
    reason: 'The rows that are due are locked when they are chosen; locked ones are left to their holder.',
  },
  {
    call: 'subscriptions.takeOverdue',
    reason: 'The rows that are due are locked when they are chosen; locked ones are left to their holder.',
  },
];

/** How a call is carried out. */
export interface CallIsolation {
  readonly isolation: Isolation;
  readonly mayBeLost: boolean;
}

const KNOWN: ReadonlyMap<string, CallIsolation> = new Map([
  ...READ_COMMITTED.map(
    ({ call, mayBeLost }) => [call, { isolation: 'read committed', mayBeLost: mayBeLost === true }] as const,
  ),
  ...named(READS, 'snapshot'),
  // Behind the others: a read of one statement needs no snapshot of its own.
  ...named(ONE_STATEMENT, 'one statement'),
]);

const USUAL: CallIsolation = { isolation: 'serializable', mayBeLost: false };

/** How the call of that part and name is carried out. */
export function isolationOf({ part, name }: { readonly part: string; readonly name: string }): CallIsolation {
  return KNOWN.get(`${part}.${name}`) ?? USUAL;
}

function named(
  calls: { readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[] },
  isolation: Isolation,
): (readonly [string, CallIsolation])[] {
  return Object.entries(calls).flatMap(([part, names]) =>
    names.map((name) => [`${part}.${String(name)}`, { isolation, mayBeLost: false }] as const),
  );
}
