import type { Migration } from './migration.ts';

/**
 * The first tables. Everything that ingest changes with each batch is in one row of `boxes`; what people
 * change is in `vehicles`. JSON columns are read and written as a whole, never searched (except tags).
 */
export const spine: Migration = {
  version: 1,
  sql: `
    CREATE TABLE fleets (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE clients (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      secret_hash TEXT NOT NULL,
      permissions TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE vehicles (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      box_id TEXT NOT NULL UNIQUE,
      model TEXT NOT NULL,
      setup_status TEXT NOT NULL,
      master_data TEXT NOT NULL,
      tags TEXT NOT NULL,
      -- what a search looks through, in lower case, one line each
      search_text TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      modified_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX vehicles_of_fleet ON vehicles (fleet_id, id);

    CREATE TABLE boxes (
      id TEXT PRIMARY KEY,
      -- rises with every change of this row or of its vehicle's
      version INTEGER NOT NULL,
      secret_hash TEXT NOT NULL,
      generation INTEGER NOT NULL,
      firmware_major INTEGER,
      firmware_minor INTEGER,
      hardware_revision INTEGER,
      connection_counter INTEGER,
      connection_open INTEGER,
      not_ready_until_ms INTEGER,
      last_contact_ms INTEGER,
      journal TEXT NOT NULL,
      state TEXT NOT NULL,
      records_stored INTEGER NOT NULL DEFAULT 0,
      records_lost INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE records (
      box_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      kind TEXT NOT NULL,
      clock_ms INTEGER NOT NULL,
      received_ms INTEGER NOT NULL,
      message_id TEXT,
      lost INTEGER NOT NULL,
      PRIMARY KEY (box_id, epoch, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE quarantine (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      box_id TEXT NOT NULL,
      received_ms INTEGER NOT NULL,
      fault TEXT NOT NULL,
      byte_offset INTEGER NOT NULL,
      detail TEXT NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;

    CREATE TABLE commands (
      request_id TEXT PRIMARY KEY,
      vehicle_id TEXT NOT NULL,
      box_id TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      command TEXT NOT NULL,
      opened_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL,
      settled_ms INTEGER,
      outcome TEXT NOT NULL,
      error TEXT NOT NULL,
      status TEXT,
      state TEXT
    ) STRICT, WITHOUT ROWID;
    -- one open command for each vehicle, whichever backend took it
    CREATE UNIQUE INDEX open_command ON commands (vehicle_id) WHERE outcome = 'open';
    CREATE INDEX commands_by_age ON commands (opened_ms);

    CREATE TABLE outbox (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      message_id TEXT NOT NULL,
      vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
  `,
};
