import type { Database } from 'better-sqlite3';
import { BOX_COLUMNS, type BoxColumns, toBox, toSim } from '../../calls/vehicles/vehicle-rows.ts';
import type { KnownVehicle } from '../../port/ingest-store.ts';

interface StockRow extends BoxColumns {
  readonly fleet_id: string;
}

const NO_VEHICLE = '';

/**
 * Boxes in a fleet's stock, in the form for ingest: like one in a vehicle without a model that is not set up.
 * So their connections and journals are kept and their records get receipts, nothing of them is translated
 * and no message is written. When such a box comes into a vehicle, its connection is known already.
 */
export function stockedBoxes(database: Database): (boxId: string) => KnownVehicle | undefined {
  const find = database.prepare<[string], StockRow>(`
    SELECT b.id AS box_id, b.fleet_id, ${BOX_COLUMNS}
    FROM boxes b WHERE b.id = ? AND b.fleet_id <> '' AND NOT EXISTS (SELECT 1 FROM vehicles WHERE box_id = b.id)`);
  return (boxId) => {
    const row = find.get(boxId);
    if (row === undefined) return undefined;
    const since = { modifiedMs: 0 } as const;
    return {
      version: row.version,
      vehicle: {
        id: NO_VEHICLE,
        fleetId: row.fleet_id,
        boxId,
        maker: undefined,
        sim: toSim(row),
        sharedWith: undefined,
        model: NO_VEHICLE,
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
