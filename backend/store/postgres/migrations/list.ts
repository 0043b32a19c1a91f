import { initial } from './0001-initial.ts';
import { outbox } from './0002-outbox.ts';
import type { PostgresMigration } from './migration.ts';

/** All migrations in order. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [
  initial,
  outbox,
  /**
   * Makers' vehicles have a stock as boxes do: each is in that of one fleet, linked or not. Their ids at the maker are
   * for their fleet alone, and no longer part of a search.
   */
  {
    version: 3,
    name: 'maker-stock',
    sql: `
    create table maker_vehicles (
      maker text collate "C" not null,
      maker_vehicle_id text collate "C" not null,
      fleet_id text collate "C" not null,
      primary key (maker, maker_vehicle_id)
    );
    insert into maker_vehicles (maker, maker_vehicle_id, fleet_id)
      select maker, maker_vehicle_id, fleet_id from vehicles where maker is not null;
    -- a search no longer looks through the id at the maker, the second line
    update vehicles set search_text = lower(id) || chr(10) || substr(search_text, length(id) + 2 + length(maker_vehicle_id))
      where substr(search_text, 1, length(id) + 1 + length(maker_vehicle_id)) = lower(id || chr(10) || maker_vehicle_id);
  `,
  },
];
