import type { Migration } from './migration.ts';

/**
 * The life status of a vehicle at its last contact, and since when. Changes by time alone are computed from
 * that; before, the beginning of a status was estimated from the last contact. And a row that health writes
 * if nothing else was written, to find out whether writes work.
 */
export const lifeAndHealth: Migration = {
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
};
