import pc from 'picocolors';
import { type RunningVehicle, runningVehicles } from '../../shared/running-vehicles.ts';
import type { SimulatorOptions } from '../../shared/simulator-client.ts';

export interface VehiclesOptions extends SimulatorOptions {
  readonly json: boolean;
}

const COLUMNS = ['VEHICLE', 'MODEL', 'PLATE', 'STATE', 'SPEED', 'BACKLOG', 'BOX'] as const;

/** Prints all vehicles of the running fleet: a table, or a line of JSON each. */
export async function vehicles(options: VehiclesOptions): Promise<void> {
  const found = await runningVehicles(options);
  if (options.json) {
    process.stdout.write(found.map((vehicle) => `${JSON.stringify(vehicle)}\n`).join(''));
    return;
  }
  process.stdout.write(`${tableOf(found)}\n`);
}

/** One row each, columns as wide as their widest cell; `-` where a vehicle has no such value. */
export function tableOf(found: readonly RunningVehicle[]): string {
  const rows = [COLUMNS, ...found.map(rowOf)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row, number) => {
      const line = row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd();
      return number === 0 ? pc.dim(line) : line;
    })
    .join('\n');
}

function rowOf(vehicle: RunningVehicle): readonly string[] {
  const { vehicleId, model, licensePlate, state, speedKph, backlog, boxId } = vehicle;
  return [
    vehicleId ?? '(unassigned)',
    model,
    licensePlate,
    state,
    speedKph > 0 ? `${Math.round(speedKph)} km/h` : 'parked',
    backlog === null ? '-' : String(backlog),
    boxId ?? '-',
  ];
}
