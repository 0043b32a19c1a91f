import { PARTITIONS } from '../../../../protocol/partitions.ts';
import type { PostgresMigration } from './migration.ts';

/** Who serves which partition, what backends count together, and as whom they appear. */
export const severalBackends: PostgresMigration = {
  version: 2,
  name: 'several-backends',
  sql: `
    create table backends (
      name text collate "C" primary key,
      -- by the database's clock; it renews this as long as it is there
      expires_ms bigint not null
    );

    -- Which backend serves which partition.
    create table partition_leases (
      partition smallint primary key,
      -- empty: nobody
      holder text collate "C" not null default '',
      -- rises each time the partition is taken
      fence bigint not null default 0,
      expires_ms bigint not null default 0,
      -- whether the holder before passed it on with everything committed
      is_settled integer not null default 1,
      -- whether its MQTT session is known to have its subscriptions at the broker
      is_subscribed integer not null default 0
    ) with (fillfactor = 10);
    insert into partition_leases (partition) select generate_series(0, ${PARTITIONS - 1});

    -- one window of each client
    create table quotas (
      client_id text collate "C" primary key,
      ends_ms bigint not null,
      -- calls that backends were given, and those of them that they are known to have used
      granted integer not null,
      used integer not null
    );
    create index quotas_by_end on quotas (ends_ms);

    -- one row
    create table installation (
      one integer primary key check (one = 1),
      id text not null,
      -- the thumbprint of the key that signs tokens (RFC 7638)
      key_id text not null,
      created_ms bigint not null
    );
  `,
};
