import type { Database } from 'better-sqlite3';
import type { KnownVehicle } from './ingest-store.ts';
import { BOX_COLUMNS, type BoxColumns, toBox, toSim } from './sqlite-rows.ts';

interface ShelfRow extends BoxColumns {
  readonly fleet_id: string;
}

const NOBODY = '';

/**
 * Boxes of a fleet's stock, as ingest knows them: like one in a vehicle of no model that is not set up. So their
 * connections and journals are kept and their records receipted, nothing of them is translated and no message made;
 * when such a box comes into a vehicle it is known already that it is there.
 */
export function shelvedBoxes(database: Database): (boxId: string) => KnownVehicle | undefined {
  const find = database.prepare<[string], ShelfRow>(`
    SELECT b.id AS box_id, b.fleet_id, ${BOX_COLUMNS}
    FROM boxes b WHERE b.id = ? AND b.fleet_id <> '' AND NOT EXISTS (SELECT 1 FROM vehicles WHERE box_id = b.id)`);
  return (boxId) => {
    const row = find.get(boxId);
    if (row === undefined) return undefined;
    const since = { modifiedMs: 0 } as const;
    return {
      version: row.version,
      vehicle: {
        id: NOBODY,
        fleetId: row.fleet_id,
        boxId,
        maker: undefined,
        sim: toSim(row),
        sharedWith: undefined,
        model: NOBODY,
        setupStatus: 'PENDING',
        setupDetail: '',
        masterData: {},
        customFields: {},
        tags: [],
        operationStatus: { ...since, value: 'OPERATING' },
        rentalStatus: { ...since, value: 'NOT_IN_RENTAL' },
        maintenance: false,
        revision: 0,
        createdMs: 0,
        modifiedMs: 0,
        box: toBox(row),
        state: {},
      },
    };
  };
}
