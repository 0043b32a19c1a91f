import pc from 'picocolors';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { type RunningVehicle, runningVehicles, unknownAmong } from '../../shared/running-vehicles.ts';
import type { SimulatorOptions } from '../../shared/simulator-client.ts';

export interface VehiclesOptions extends SimulatorOptions {
  readonly json: boolean;
}

const COLUMNS = ['VEHICLE', 'MODEL', 'PLATE', 'STATE', 'SPEED', 'BACKLOG', 'BOX'] as const;

/**
 * Prints all vehicles of the running fleet, or the one with this vehicle id or box id: a table, or a line of JSON each. On a
 * terminal one vehicle comes with the call that shows what the service knows of it.
 */
export async function vehicles(id: string | undefined, options: VehiclesOptions): Promise<void> {
  const running = await runningVehicles(options);
  const found =
    id === undefined ? running : running.filter(({ vehicleId, boxId }) => vehicleId === id || boxId === id);
  if (id !== undefined && found.length === 0) throw new CommandError(unknownAmong(id, running), 2);
  if (options.json) {
    process.stdout.write(found.map((vehicle) => `${JSON.stringify(vehicle)}\n`).join(''));
    return;
  }
  process.stdout.write(`${tableOf(found)}\n`);
  const [one] = found;
  if (id === undefined || one?.vehicleId === null || one === undefined || !process.stdout.isTTY) return;
  process.stdout.write(`As the service knows it: boxtwin api get /vehicles/${one.vehicleId}\n`);
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
