CREATE INDEX answers_by_end ON grant_secrets (answer_until_ms) WHERE answer_until_ms IS NOT NULL;
CREATE INDEX bulk_items_due ON bulk_items (due_ms) WHERE status = 'pending';
CREATE INDEX bulk_items_failed ON bulk_items (job_id) WHERE status = 'failed';
CREATE INDEX bulk_items_of_job ON bulk_items (job_id) WHERE status = 'pending';
CREATE INDEX bulk_items_of_vehicle ON bulk_items (vehicle_id) WHERE status = 'pending';
CREATE INDEX bulk_jobs_by_age ON bulk_jobs (created_ms);
CREATE INDEX bulk_jobs_of_fleet ON bulk_jobs (fleet_id, created_ms);
CREATE INDEX commands_by_age ON commands (opened_ms);
CREATE INDEX grants_by_expiry ON grants (expires_ms);
CREATE INDEX grants_of_user ON grants (user_id, client_id, id);
CREATE UNIQUE INDEX open_command ON commands (vehicle_id) WHERE outcome = 'open';
CREATE INDEX outbox_dropped_by_message ON outbox_dropped (message_id);
CREATE INDEX queues_of_subscription ON subscription_queues (subscription_id, ordinal);
CREATE INDEX quotas_by_end ON quotas (ends_ms);
CREATE INDEX records_by_age ON records (received_ms);
CREATE UNIQUE INDEX secrets_of_grant ON grant_secrets (grant_id, ordinal);
CREATE INDEX sessions_by_expiry ON sessions (expires_ms);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX setups_by_due ON vehicles (setup_due_ms) WHERE setup_status IN ('PENDING', 'RUNNING');
CREATE INDEX subscriptions_by_discriminator ON subscriptions (discriminator);
CREATE INDEX subscriptions_of_fleet ON subscriptions (fleet_id, id);
CREATE INDEX subscriptions_unfinished ON subscriptions (due_ms) WHERE state <> 'live';
CREATE INDEX third_party_by_due ON third_party (due_ms);
CREATE INDEX vehicles_by_vin ON vehicles (fleet_id, json_extract(master_data, '$.vin'));
CREATE INDEX vehicles_of_fleet ON vehicles (fleet_id, id);
CREATE UNIQUE INDEX vehicles_of_maker ON vehicles (maker, maker_vehicle_id) WHERE maker IS NOT NULL;
CREATE INDEX vehicles_of_partner ON vehicles (shared_with, id) WHERE shared_with IS NOT NULL;
CREATE TABLE backends (
      name TEXT PRIMARY KEY,
      -- by the store's clock; it renews this as long as it is there
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
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
    , fleet_id TEXT NOT NULL DEFAULT '', sim_provider TEXT, sim_iccid TEXT, life TEXT, life_since_ms INTEGER, standby_report_s INTEGER, sim_suspended_ms INTEGER) STRICT;
CREATE TABLE bulk_items (
      job_id TEXT NOT NULL REFERENCES bulk_jobs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      vehicle_id TEXT NOT NULL,
      -- pending, applied, failed
      status TEXT NOT NULL DEFAULT 'pending',
      -- of a failed one why; of a pending one what its last attempt met
      reason TEXT NOT NULL DEFAULT '',
      detail TEXT NOT NULL DEFAULT '',
      attempts INTEGER NOT NULL DEFAULT 0,
      last_attempt_ms INTEGER,
      -- failed attempts since the box was last known to connect
      step INTEGER NOT NULL DEFAULT 0,
      -- while it is leased: when the lease ends
      due_ms INTEGER NOT NULL,
      is_leased INTEGER NOT NULL DEFAULT 0,
      -- said of it while it was leased, and done when the attempt ends
      is_overtaken INTEGER NOT NULL DEFAULT 0,
      is_hastened INTEGER NOT NULL DEFAULT 0, leased_by TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (job_id, position)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE bulk_jobs (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      features TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL
    , vehicles INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE clients (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      secret_hash TEXT NOT NULL,
      permissions TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    , redirect_uris TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;
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
    , configuration TEXT) STRICT, WITHOUT ROWID;
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
    , decided INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE fleets (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE grant_secrets (
      digest TEXT PRIMARY KEY,
      grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL,
      spent INTEGER NOT NULL DEFAULT 0
    , answer TEXT, answer_until_ms INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE grants (
      id TEXT PRIMARY KEY,
      client_id TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      scope TEXT NOT NULL,
      redirect_uri TEXT NOT NULL,
      code_challenge TEXT NOT NULL,
      nonce TEXT,
      signed_in_ms INTEGER NOT NULL,
      -- the latest expiry of its secrets
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE installation (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      id TEXT NOT NULL,
      -- the thumbprint of the key that signs tokens (RFC 7638)
      key_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT;
CREATE TABLE maker_vehicles (
      maker TEXT NOT NULL,
      maker_vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      PRIMARY KEY (maker, maker_vehicle_id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE "outbox" (
      position INTEGER PRIMARY KEY,
      message_id TEXT NOT NULL,
      vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      body TEXT NOT NULL
    , partition INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE outbox_drops (
      fleet_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      messages INTEGER NOT NULL,
      -- of them those that the broker confirmed all the same
      arrived INTEGER NOT NULL DEFAULT 0,
      last_ms INTEGER NOT NULL,
      PRIMARY KEY (fleet_id, reason)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE outbox_size (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      messages INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    , up_to INTEGER NOT NULL DEFAULT 0, reserved INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE partition_leases (
      partition INTEGER PRIMARY KEY,
      -- empty: nobody
      holder TEXT NOT NULL DEFAULT '',
      -- rises each time the partition is taken
      fence INTEGER NOT NULL DEFAULT 0,
      expires_ms INTEGER NOT NULL DEFAULT 0,
      -- whether the holder before passed it on with everything committed
      is_settled INTEGER NOT NULL DEFAULT 1,
      -- whether its MQTT session is known to have its subscriptions at the broker
      is_subscribed INTEGER NOT NULL DEFAULT 0
    ) STRICT;
CREATE TABLE quarantine (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      box_id TEXT NOT NULL,
      received_ms INTEGER NOT NULL,
      fault TEXT NOT NULL,
      byte_offset INTEGER NOT NULL,
      detail TEXT NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
CREATE TABLE quotas (
      client_id TEXT PRIMARY KEY,
      ends_ms INTEGER NOT NULL,
      -- calls that backends were given, and those of them that they are known to have used
      granted INTEGER NOT NULL,
      used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE records (
      box_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      kind TEXT NOT NULL,
      clock_ms INTEGER NOT NULL,
      received_ms INTEGER NOT NULL,
      message_id TEXT,
      lost INTEGER NOT NULL, covers_first INTEGER, covers_last INTEGER,
      PRIMARY KEY (box_id, epoch, sequence)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
      digest TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      signed_in_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sqlite_sequence(name,seq);
CREATE TABLE subscription_queues (
      name TEXT PRIMARY KEY,
      subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
      topic TEXT NOT NULL,
      -- as the request named them
      ordinal INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
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
CREATE TABLE users (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      name TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      permissions TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE "vehicles" (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      box_id TEXT UNIQUE,
      maker TEXT,
      maker_vehicle_id TEXT,
      -- what a vehicle without a box has told; that of the others stands with their boxes
      maker_state TEXT NOT NULL DEFAULT '{}',
      maker_contact_ms INTEGER,
      shared_with TEXT,
      model TEXT NOT NULL,
      setup_status TEXT NOT NULL,
      setup_detail TEXT NOT NULL DEFAULT '',
      master_data TEXT NOT NULL,
      custom_fields TEXT NOT NULL DEFAULT '{}',
      tags TEXT NOT NULL,
      operation_status TEXT NOT NULL DEFAULT 'OPERATING',
      operation_status_ms INTEGER NOT NULL,
      rental_status TEXT NOT NULL DEFAULT 'NOT_IN_RENTAL',
      rental_status_ms INTEGER NOT NULL,
      -- rises with each change that its owner makes
      revision INTEGER NOT NULL DEFAULT 1,
      -- what a search looks through, in lower case, one line each
      search_text TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      modified_ms INTEGER NOT NULL, setup_attempts INTEGER NOT NULL DEFAULT 0, setup_due_ms INTEGER NOT NULL DEFAULT 0, maintenance INTEGER NOT NULL DEFAULT 0, maker_life_since_ms INTEGER, maker_life TEXT,
      CHECK ((box_id IS NULL) <> (maker IS NULL)),
      CHECK ((maker IS NULL) = (maker_vehicle_id IS NULL))
    ) STRICT, WITHOUT ROWID;
CREATE TABLE write_probe (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      at_ms INTEGER NOT NULL
    ) STRICT;
