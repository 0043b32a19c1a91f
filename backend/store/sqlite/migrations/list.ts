import { spine } from './0001-spine.ts';
import { vehicles } from './0003-vehicles.ts';
import { grants } from './0005-grants.ts';
import { bulk } from './0007-bulk.ts';
import { severalBackends } from './0022-several-backends.ts';
import type { Migration } from './migration.ts';

/** All migrations in order. */
export const MIGRATIONS: readonly Migration[] = [
  spine,
  /** Finds the oldest records of all boxes and epochs: the epochs of a box are names without an order. */
  {
    version: 2,
    sql: 'CREATE INDEX records_by_age ON records (received_ms);',
  },
  vehicles,
  /** The configuration of each box, as it has confirmed it. */
  {
    version: 4,
    sql: `
    CREATE TABLE configurations (
      box_id TEXT PRIMARY KEY,
      -- the highest revision that was handed out, and the highest that the box has confirmed
      handed_out INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 0,
      features TEXT NOT NULL DEFAULT '{}',
      -- the box's last word that it is calibrated: a sequence of its journal
      calibrated INTEGER NOT NULL DEFAULT 0,
      -- the epoch that began with a wiped flash; NULL: none did since the first request
      epoch INTEGER
    ) STRICT, WITHOUT ROWID;
  `,
  },
  grants,
  /**
   * Polling of the vehicles behind makers' clouds: the time of the newest state, and when the maker is asked
   * again. Their state is stored with the vehicle itself.
   */
  {
    version: 6,
    sql: `
    CREATE TABLE third_party (
      vehicle_id TEXT PRIMARY KEY,
      -- rises with each change
      version INTEGER NOT NULL,
      -- the maker's time of the newest state that is stored
      taken_ms INTEGER,
      due_ms INTEGER NOT NULL,
      -- polls that failed, one after the other
      failures INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX third_party_by_due ON third_party (due_ms);
  `,
  },
  bulk,
  /** When a vehicle's setup is due, and how often it was begun. */
  {
    version: 8,
    sql: `
    ALTER TABLE vehicles ADD COLUMN setup_attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE vehicles ADD COLUMN setup_due_ms INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX setups_by_due ON vehicles (setup_due_ms) WHERE setup_status IN ('PENDING', 'RUNNING');
  `,
  },
  /**
   * The number of vehicles of a bulk job, and an index of a fleet's jobs: what a fleet keeps can be bounded.
   */
  {
    version: 9,
    sql: `
    ALTER TABLE bulk_jobs ADD COLUMN vehicles INTEGER NOT NULL DEFAULT 0;
    UPDATE bulk_jobs SET vehicles = (SELECT count(*) FROM bulk_items WHERE job_id = bulk_jobs.id);
    CREATE INDEX bulk_jobs_of_fleet ON bulk_jobs (fleet_id, created_ms);
  `,
  },
  /** When a connection began, and the record of the journal from which a box's configuration follows. */
  {
    version: 10,
    sql: `
    -- the first hello of the connection; NULL: none was heard
    ALTER TABLE boxes ADD COLUMN connection_since_ms INTEGER;
    -- a sequence of the box's journal: that of the last configure or setup that it has told as done
    ALTER TABLE configurations ADD COLUMN decided INTEGER NOT NULL DEFAULT 0;
  `,
  },
  /** Whether the maintenance capabilities are booked for a vehicle. */
  {
    version: 11,
    sql: `
    ALTER TABLE vehicles ADD COLUMN maintenance INTEGER NOT NULL DEFAULT 0;
  `,
  },
  /** Which backend leases a vehicle of a bulk job, so that it finds its leases after a restart. */
  {
    version: 12,
    sql: `
    -- a backend's name; '': not told
    ALTER TABLE bulk_items ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
  `,
  },
  /** Since when a maker's vehicle has been in contact without too long a silence. */
  {
    version: 13,
    sql: `
    -- the first contact after a silence, or ever; NULL: none, or none since this column is there
    ALTER TABLE vehicles ADD COLUMN maker_online_ms INTEGER;
  `,
  },
  /**
   * Subscriptions to messages. One is stored before any of it is created at the broker, and until all of it is deleted
   * there: so nothing is left over of one that failed half way, or whose process died.
   */
  {
    version: 14,
    sql: `
    CREATE TABLE subscriptions (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      discriminator TEXT NOT NULL,
      -- both NULL where all consumers share one account
      username TEXT UNIQUE,
      secret_hash TEXT,
      state TEXT NOT NULL CHECK (state IN ('making', 'live', 'ending')),
      -- when what is not live is to be taken away; of a live one without meaning
      due_ms INTEGER NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscriptions_of_fleet ON subscriptions (fleet_id, id);
    CREATE INDEX subscriptions_by_discriminator ON subscriptions (discriminator);
    CREATE INDEX subscriptions_unfinished ON subscriptions (due_ms) WHERE state <> 'live';

    CREATE TABLE subscription_queues (
      name TEXT PRIMARY KEY,
      subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
      topic TEXT NOT NULL,
      -- as the request named them
      ordinal INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX queues_of_subscription ON subscription_queues (subscription_id, ordinal);
  `,
  },
  /** The size of the outbox, and what was dropped from it because it was full. */
  {
    version: 15,
    sql: `
    -- counting a million rows takes a second, so what they add up to stands here: always one row
    CREATE TABLE outbox_size (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      messages INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO outbox_size (id, messages, bytes)
      SELECT 1, count(*), coalesce(sum(octet_length(body)), 0) FROM outbox;

    CREATE TABLE outbox_dropped (
      -- that of the outbox
      position INTEGER PRIMARY KEY,
      message_id TEXT NOT NULL,
      vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      -- messages, bytes, age: which bound
      reason TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      dropped_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX outbox_dropped_by_message ON outbox_dropped (message_id);

    CREATE TABLE outbox_drops (
      fleet_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      messages INTEGER NOT NULL,
      -- of them those that the broker confirmed all the same
      arrived INTEGER NOT NULL DEFAULT 0,
      last_ms INTEGER NOT NULL,
      PRIMARY KEY (fleet_id, reason)
    ) STRICT, WITHOUT ROWID;
  `,
  },
  /** Which sequences a tombstone replaces, so that the ledger can determine the outcome of each record. */
  {
    version: 16,
    sql: `
    -- both ends included; NULL: no tombstone, or one from before this column was there
    ALTER TABLE records ADD COLUMN covers_first INTEGER;
    ALTER TABLE records ADD COLUMN covers_last INTEGER;
  `,
  },
  /**
   * The states of boxes have a new form (backend/store/port/state-text.ts); both forms can be read. Nothing
   * is changed here: the version number keeps out programs that know only the old form.
   */
  {
    version: 17,
    sql: '',
  },
  /** Makes the failed vehicles of a bulk job countable without reading all of them. */
  {
    version: 18,
    sql: `CREATE INDEX bulk_items_failed ON bulk_items (job_id) WHERE status = 'failed';`,
  },
  /**
   * The size of the outbox is written once for many messages (backend/store/sqlite/outbox/outbox-count.ts), and
   * the program assigns the positions: SQLite's AUTOINCREMENT writes a row for each. SQLite cannot remove that
   * from a table afterwards, so `outbox` is rebuilt.
   */
  {
    version: 19,
    sql: `
    -- messages and bytes are those of positions up to this one; what lies behind it is counted when somebody asks
    ALTER TABLE outbox_size ADD COLUMN up_to INTEGER NOT NULL DEFAULT 0;
    -- no position beyond this one was ever given out
    ALTER TABLE outbox_size ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
    UPDATE outbox_size SET
      up_to = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0),
      reserved = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0);

    CREATE TABLE outbox_anew (
      position INTEGER PRIMARY KEY,
      message_id TEXT NOT NULL,
      vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    INSERT INTO outbox_anew (position, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
      SELECT position, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body FROM outbox;
    DROP TABLE outbox;
    ALTER TABLE outbox_anew RENAME TO outbox;
  `,
  },
  /**
   * The life status of a vehicle at its last contact, and since when. Changes by time alone are computed from
   * that; before, the beginning of a status was estimated from the last contact. And a row that health writes
   * if nothing else was written, to find out whether writes work.
   */
  {
    version: 20,
    sql: `
    -- ONLINE, STANDBY or OFFLINE at the last change of the row; NULL: nothing was heard since this column is there
    ALTER TABLE boxes ADD COLUMN life TEXT;
    ALTER TABLE boxes ADD COLUMN life_since_ms INTEGER;
    -- as the box has confirmed it; NULL: the standard
    ALTER TABLE boxes ADD COLUMN standby_report_s INTEGER;
    -- NULL: the service has not had the card suspended, or the box has connected since
    ALTER TABLE boxes ADD COLUMN sim_suspended_ms INTEGER;
    UPDATE boxes SET life = 'ONLINE', life_since_ms = connection_since_ms
      WHERE connection_open = 1 AND connection_since_ms IS NOT NULL AND not_ready_until_ms IS NULL;
    UPDATE boxes SET standby_report_s = (
      SELECT json_extract(features, '$."box-settings".parameters.standby_report_interval_in_seconds')
      FROM configurations WHERE box_id = boxes.id);
    ALTER TABLE boxes DROP COLUMN connection_since_ms;

    ALTER TABLE vehicles RENAME COLUMN maker_online_ms TO maker_life_since_ms;
    ALTER TABLE vehicles ADD COLUMN maker_life TEXT;
    UPDATE vehicles SET maker_life = 'ONLINE' WHERE maker_life_since_ms IS NOT NULL;

    CREATE TABLE write_probe (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      at_ms INTEGER NOT NULL
    ) STRICT;
  `,
  },
  /** The answer to a request that has spent a code or a refresh token, in case it was lost. */
  {
    version: 21,
    sql: `
    -- encrypted under what only the client has; of a grant only the last one
    ALTER TABLE grant_secrets ADD COLUMN answer TEXT;
    ALTER TABLE grant_secrets ADD COLUMN answer_until_ms INTEGER;
    CREATE INDEX answers_by_end ON grant_secrets (answer_until_ms) WHERE answer_until_ms IS NOT NULL;
  `,
  },
  severalBackends,
  /**
   * Makers' vehicles have a stock as boxes do: each is in that of one fleet, linked or not. Their ids at the maker are
   * for their fleet alone, and no longer part of a search.
   */
  {
    version: 23,
    sql: `
    CREATE TABLE maker_vehicles (
      maker TEXT NOT NULL,
      maker_vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      PRIMARY KEY (maker, maker_vehicle_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO maker_vehicles (maker, maker_vehicle_id, fleet_id)
      SELECT maker, maker_vehicle_id, fleet_id FROM vehicles WHERE maker IS NOT NULL;
    -- a search no longer looks through the id at the maker, the second line
    UPDATE vehicles SET search_text = lower(id) || char(10) || substr(search_text, length(id) + 2 + length(maker_vehicle_id))
      WHERE substr(search_text, 1, length(id) + 1 + length(maker_vehicle_id)) = lower(id || char(10) || maker_vehicle_id);
  `,
  },
];
