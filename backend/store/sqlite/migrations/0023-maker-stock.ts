import type { Migration } from './migration.ts';

/**
 * Makers' vehicles have a stock as boxes do: each is in that of one fleet, linked or not. Their ids at the maker are
 * for their fleet alone, and no longer part of a search.
 */
export const makerStock: Migration = {
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
};
