import type { Migration } from './migration.ts';

/**
 * Vehicles with a maker's cloud instead of a box, what their owners can change of them, and boxes in a
 * fleet's stock. SQLite cannot make a column optional afterwards, so `vehicles` is rebuilt.
 */
export const vehicles: Migration = {
  version: 3,
  sql: `
    CREATE TABLE vehicles_anew (
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
      modified_ms INTEGER NOT NULL,
      CHECK ((box_id IS NULL) <> (maker IS NULL)),
      CHECK ((maker IS NULL) = (maker_vehicle_id IS NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO vehicles_anew (id, fleet_id, box_id, model, setup_status, master_data, tags, operation_status_ms,
        rental_status_ms, search_text, created_ms, modified_ms)
      SELECT id, fleet_id, box_id, model, setup_status, master_data, tags, created_ms, created_ms, search_text,
        created_ms, modified_ms FROM vehicles;
    DROP TABLE vehicles;
    ALTER TABLE vehicles_anew RENAME TO vehicles;
    CREATE INDEX vehicles_of_fleet ON vehicles (fleet_id, id);
    CREATE INDEX vehicles_of_partner ON vehicles (shared_with, id) WHERE shared_with IS NOT NULL;
    CREATE UNIQUE INDEX vehicles_of_maker ON vehicles (maker, maker_vehicle_id) WHERE maker IS NOT NULL;
    CREATE INDEX vehicles_by_vin ON vehicles (fleet_id, json_extract(master_data, '$.vin'));

    -- the fleet in whose stock the box is, whether it is in a vehicle or not; empty: in nobody's
    ALTER TABLE boxes ADD COLUMN fleet_id TEXT NOT NULL DEFAULT '';
    ALTER TABLE boxes ADD COLUMN sim_provider TEXT;
    ALTER TABLE boxes ADD COLUMN sim_iccid TEXT;
    UPDATE boxes SET fleet_id = coalesce((SELECT fleet_id FROM vehicles WHERE box_id = boxes.id), '');

    -- what a configure is about; NULL for commands
    ALTER TABLE commands ADD COLUMN configuration TEXT;
  `,
};
