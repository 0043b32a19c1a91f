import { writeBits } from '../../protocol/can.ts';
import {
  highestRaw,
  isSwitch,
  type Measure,
  type SignalRow,
  type Switch,
  type VehicleModel,
} from '../../protocol/models/model.ts';
import { rawBytes } from '../../protocol/obd.ts';
import type { CanFrame, Signals } from '../../protocol/signals.ts';
import { clamp } from '../arithmetic.ts';

/** What the rows of a model can say, in the units of the names. */
export type Quantities = Readonly<Record<Measure, number> & Record<Switch, boolean>>;

/** The sources that belong to the vehicle; GNSS, modem and power are the box's own. */
export type WiredSignals = Pick<Signals, 'obd' | 'can' | 'digital' | 'analog'>;

/**
 * The raw signals of a vehicle in that state, written by its model's rows. With the ignition off the control units of
 * the drive sleep: OBD is silent, and of the CAN frames only those that are always sent remain.
 */
export function wiredSignals(model: VehicleModel, quantities: Quantities): WiredSignals {
  const awake = quantities.ignitionOn;
  return {
    ...(awake ? part('obd', obdAnswers(model, quantities)) : {}),
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

function obdAnswers(model: VehicleModel, quantities: Quantities) {
  return model.rows
    .flatMap((row) => {
      if (row.source.from !== 'obd') return [];
      return [{ pid: row.source.pid, data: rawBytes(rawOf(row, quantities), row.source.bytes) }];
    })
    .sort((a, b) => a.pid - b.pid);
}

function canFrames(model: VehicleModel, quantities: Quantities, awake: boolean): readonly CanFrame[] {
  return model.frames
    .filter((shape) => awake || shape.always)
    .map((shape) => {
      const data = new Uint8Array(shape.bytes);
      for (const row of model.rows) {
        const { source } = row;
        if (source.from !== 'can' || source.bus !== shape.bus || source.id !== shape.id) continue;
        writeBits(data, source.startBit, source.bits, source.order, rawOf(row, quantities));
      }
      return { bus: shape.bus, id: shape.id, data };
    });
}

function digitalLevels(model: VehicleModel, quantities: Quantities): number {
  let levels = 0;
  for (const row of model.rows) {
    if (row.source.from === 'digital' && rawOf(row, quantities) === 1) levels |= 1 << row.source.port;
  }
  return levels;
}

function analogLevels(model: VehicleModel, quantities: Quantities) {
  return model.rows.flatMap((row) => {
    if (row.source.from !== 'analog') return [];
    return [{ port: row.source.port, millivolts: rawOf(row, quantities) }];
  });
}

/** The raw number nearest to the quantity; never one of the row's codes, as a control unit takes care of too. */
export function rawOf(row: SignalRow, quantities: Quantities): number {
  if (isSwitch(row.quantity)) {
    return quantities[row.quantity] === (row.inverted !== true) ? 1 : 0;
  }
  const codes = [row.unavailable, row.failure].filter((code) => code !== undefined);
  const highest = Math.min(highestRaw(row.source), ...codes.map((code) => code - 1));
  return clamp(Math.round((quantities[row.quantity] - row.offset) / row.factor), 0, highest);
}
