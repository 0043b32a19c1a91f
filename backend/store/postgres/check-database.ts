import { lookOverContents, type StoreContents } from '../checks/consistency.ts';
import { type DatabaseLook, lookOver } from './look-into.ts';
import { addressOf, type DatabasePlace, withOneConnection } from './one-connection.ts';

/** Its contents are undefined if it has no schema of this program's version. */
export interface DatabaseCheck {
  readonly look: DatabaseLook;
  readonly contents: StoreContents | undefined;
}

/** The waiting messages differ from those written and not yet removed. */
const OUTBOX = {
  name: 'partitions whose outbox is miscounted',
  sql: `
    with waiting as (
      select partition, count(*) as messages, sum(octet_length(body)) as bytes from outbox group by partition
    )
    select count(*) from outbox_positions written
      join outbox_removed removed using (partition)
      left join waiting using (partition)
      where written.messages - removed.messages <> coalesce(waiting.messages, 0)
        or written.bytes - removed.bytes <> coalesce(waiting.bytes, 0)`,
  detail: 'Its bounds are held too early or too late.',
};

/**
 * Checks a database as it was at one moment, also while backends use it. Nothing in it is changed. Rejects with
 * `StoreFailed` if it cannot be reached.
 */
export function checkDatabase(place: DatabasePlace): Promise<DatabaseCheck> {
  return withOneConnection(place, async (client) => {
    const look = await lookOver(client, addressOf(place).shown);
    if (look.refusal !== undefined || look.version !== look.knownVersion)
      return { look, contents: undefined };
    await client.query('set statement_timeout = 0');
    await client.query('begin isolation level repeatable read read only');
    const contents = await lookOverContents(
      {
        async tables() {
          const { rows } = await client.query<{ readonly name: string }>(
            `select relname::text as name from pg_class
              where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by 1`,
          );
          return rows.map(({ name }) => name);
        },
        async number(sql) {
          const { rows } = await client.query<Record<string, number>>(sql);
          return Number(Object.values(rows[0] ?? {})[0] ?? 0);
        },
      },
      [OUTBOX],
    );
    return { look, contents };
  });
}
