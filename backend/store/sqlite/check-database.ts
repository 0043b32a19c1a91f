import Database from 'better-sqlite3';
import { errorText } from '../../../world/error-text.ts';
import { lookOverContents, type StoreContents } from '../checks/consistency.ts';
import { StoreFailed } from '../port/store.ts';

/** The waiting messages up to the counted position differ from the count. */
const OUTBOX = {
  name: 'outboxes that are miscounted',
  sql: `
    select count(*) from outbox_size where (messages, bytes) is distinct from
      (select count(*), coalesce(sum(octet_length(body)), 0) from outbox where position <= up_to)`,
  detail: 'Its bounds are held too early or too late.',
};

/**
 * Checks the file of a store that no process has open, such as a copy, with SQLite's own check of its pages. Its schema
 * must be of this program's version. Rejects with `StoreFailed` if it cannot be read.
 */
export async function checkFile(path: string): Promise<StoreContents> {
  let database: Database.Database | undefined;
  try {
    const opened = new Database(path, { fileMustExist: true });
    database = opened;
    const contents = await lookOverContents(
      {
        tables: () =>
          Promise.resolve(
            opened
              .prepare<[], string>(
                "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by 1",
              )
              .pluck()
              .all(),
          ),
        number: (sql) => Promise.resolve(opened.prepare<[], number>(sql).pluck().get() ?? 0),
      },
      [OUTBOX],
    );
    const damage = opened.pragma('quick_check(1)', { simple: true });
    return damage === 'ok'
      ? contents
      : {
          ...contents,
          inconsistencies: [
            ...contents.inconsistencies,
            { name: 'damaged pages', rows: 1, detail: `${String(damage)}. Restore a copy from before.` },
          ],
        };
  } catch (error) {
    const why = errorText(error);
    throw new StoreFailed(`${path} cannot be read: ${why}.`, { cause: error });
  } finally {
    database?.close();
  }
}
