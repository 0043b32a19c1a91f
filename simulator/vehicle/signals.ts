import { writeBits } from '../../protocol/can.ts';
import { limits } from '../../protocol/limits.ts';
import type { SignalRow, VehicleModel } from '../../protocol/models/model.ts';
import type { Quantity, ValueOf } from '../../protocol/models/quantities.ts';
import { rawOf, type Sensations, type Sensed } from '../../protocol/models/raw.ts';
import type { CanFrame, Signals } from '../../protocol/signals.ts';

/** What every vehicle can say. */
type Everywhere =
  | 'speedKph'
  | 'engineRpm'
  | 'coolantTemperatureC'
  | 'energyPercent'
  | 'mileageKm'
  | 'rangeKm'
  | 'onboardVolts'
  | 'ignitionOn'
  | 'anyDoorOpen'
  | 'locked'
  | 'drivingEnabled'
  | 'topCaseOpen'
  | 'topCaseLocked'
  | 'standExtended'
  | 'compartmentLocked';

/** What the rows of a model can say, in the units of the names. */
export type Quantities = { readonly [Name in Quantity & Everywhere]: ValueOf<Name> } & Sensations;

/** Sensors that do not work, and what they say instead. */
export type SensorFaults = { readonly [Name in Quantity]?: 'unavailable' | 'failed' };

/** The sources that belong to the vehicle; GNSS, modem and power are the box's own. */
export type WiredSignals = Pick<Signals, 'obd' | 'troubleCodes' | 'can' | 'digital' | 'analog'>;

/**
 * The raw signals of a vehicle in that state, written by its model's rows. With the ignition off the control units of
 * the drive sleep: OBD is silent, and of the CAN frames only those that are always sent remain.
 */
export function wiredSignals(
  model: VehicleModel,
  truth: Quantities,
  sensors: SensorFaults = {},
): WiredSignals {
  const awake = truth.ignitionOn;
  const quantities: Sensations = { ...truth, ...sensors };
  return {
    ...(awake ? part('obd', obdAnswers(model, quantities)) : {}),
    ...(awake ? troubleCodes(model, quantities) : {}),
    ...part('can', canFrames(model, quantities, awake)),
    ...part('analog', analogLevels(model, quantities)),
    digital: digitalLevels(model, quantities),
  };
}

function part<Name extends keyof WiredSignals, Item>(
  name: Name,
  items: readonly Item[],
): { readonly [key in Name]?: readonly Item[] } {
  return items.length === 0 ? {} : ({ [name]: items } as { readonly [key in Name]: readonly Item[] });
}

/** One answer of each PID, whatever number of rows reads it. */
function obdAnswers(model: VehicleModel, quantities: Sensations) {
  const answers = new Map<number, Uint8Array>();
  for (const row of model.rows) {
    if (row.source.from !== 'obd') continue;
    // A control unit without a word for it keeps silent.
    if (isMute(row, quantities[row.quantity])) continue;
    const { pid, bytes, startBit = 7, bits = 8 * bytes, present } = row.source;
    const data = answers.get(pid) ?? new Uint8Array(bytes);
    writeBits(data, startBit, bits, 'big', raw(row, quantities));
    if (present !== undefined) writeBits(data, present, 1, 'big', 1);
    answers.set(pid, data);
  }
  return [...answers].map(([pid, data]) => ({ pid, data })).sort((a, b) => a.pid - b.pid);
}

/** An empty list where there are none: mode 03 answers that too. */
function troubleCodes(model: VehicleModel, quantities: Sensations): Pick<WiredSignals, 'troubleCodes'> {
  if (!model.rows.some(({ source }) => source.from === 'trouble-codes')) return {};
  const codes = quantities.troubleCodes;
  return Array.isArray(codes) ? { troubleCodes: codes.slice(0, limits.troubleCodes) } : {};
}

function canFrames(model: VehicleModel, quantities: Sensations, awake: boolean): readonly CanFrame[] {
  return model.frames
    .filter((shape) => awake || shape.always)
    .map((shape) => {
      const data = new Uint8Array(shape.bytes);
      for (const row of model.rows) {
        const { source } = row;
        if (source.from !== 'can' || source.bus !== shape.bus || source.id !== shape.id) continue;
        writeBits(data, source.startBit, source.bits, source.order, raw(row, quantities));
      }
      return { bus: shape.bus, id: shape.id, data };
    });
}

function digitalLevels(model: VehicleModel, quantities: Sensations): number {
  let levels = 0;
  for (const row of model.rows) {
    if (row.source.from === 'digital' && raw(row, quantities) === 1) levels |= 1 << row.source.port;
  }
  return levels;
}

function analogLevels(model: VehicleModel, quantities: Sensations) {
  return model.rows.flatMap((row) => {
    if (row.source.from !== 'analog') return [];
    return [{ port: row.source.port, millivolts: raw(row, quantities) }];
  });
}

function isMute({ unavailable, failure }: SignalRow, sensed: Sensed | undefined): boolean {
  const isNothing = sensed === undefined || sensed === 'unavailable' || sensed === 'failed';
  return isNothing && unavailable === undefined && failure === undefined;
}

function raw(row: SignalRow, quantities: Sensations): number {
  return rawOf(row, quantities[row.quantity]);
}
