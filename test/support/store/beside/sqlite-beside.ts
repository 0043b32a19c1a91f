import type { Database } from 'better-sqlite3';
import { lookOverContents } from '../../../../backend/store/checks/consistency.ts';
import type { StoreCall, StoreOutcome } from '../../../../backend/store/port/store-calls.ts';
import { groupTransaction } from '../../../../backend/store/sqlite/group-transaction.ts';
import { openDatabase } from '../../../../backend/store/sqlite/open.ts';
import { openParts } from '../../../../backend/store/sqlite/store.ts';
import { type Contents, contentsOfSqlite, type Row } from './contents.ts';

/** A store in SQLite, in memory, and what is in its tables. */
export interface SqliteBeside {
  carryOut(call: StoreCall): StoreOutcome;
  contents(): Contents;
  /**
   * Gives boxes the versions of these rows where they are higher. A change of a vehicle that another one overtakes has raised
   * the version of its box before it sees that, and only makes ingest read the box again.
   */
  raiseVersions(boxes: readonly Row[]): void;
  /** The names of the rules of consistency that its rows break, with their numbers. */
  inconsistencies(): Promise<readonly string[]>;
  /** What `openSqliteBeside` opens as a copy. */
  serialize(): Uint8Array;
  close(): void;
}

/** Bytes 18 and 19 of the header: write and read version. A copy in memory has no WAL. */
const VERSIONS_AT = 18;

/** An empty one, or a copy of another one. */
export function openSqliteBeside(from: Uint8Array | undefined, nowMs: () => number): SqliteBeside {
  const { database, parts } = openParts(() => openDatabase(from ?? ':memory:', { nowMs }));
  const transaction = groupTransaction(database, parts);
  return {
    carryOut: (call) => transaction([call])[0] ?? { error: new Error('The call was not carried out.') },
    contents: () => contentsOfSqlite(database),
    raiseVersions: (boxes) => {
      const raise = database.prepare('update boxes set version = max(version, ?) where id = ?');
      for (const { id, version } of boxes) raise.run(version, id);
    },
    inconsistencies: () => inconsistenciesOf(database),
    serialize: () => {
      const bytes = database.serialize();
      bytes.fill(1, VERSIONS_AT, VERSIONS_AT + 2);
      return bytes;
    },
    close: () => database.close(),
  };
}

async function inconsistenciesOf(database: Database): Promise<readonly string[]> {
  const { inconsistencies } = await lookOverContents(
    {
      tables: () => Promise.resolve([]),
      number: (sql) => Promise.resolve(Number(database.prepare(sql).pluck().get())),
    },
    [],
  );
  return inconsistencies.map(({ name, rows }) => `${name}: ${rows}`);
}
