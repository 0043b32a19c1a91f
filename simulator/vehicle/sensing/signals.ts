import { writeBits } from '../../../protocol/can.ts';
import { wireLimits } from '../../../protocol/limits.ts';
import type { SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity, ValueOf } from '../../../protocol/models/quantities.ts';
import { rawSignalOf, type SensedQuantities, type SensedValue } from '../../../protocol/models/raw.ts';
import type { CanFrame, Signals } from '../../../protocol/signals.ts';
import { type WiredFrame, type Wiring, wiringOf } from './wiring.ts';

/** The quantities of every vehicle. */
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

/** The quantities that a model's rows can report, in the units of the names. */
export type Quantities = { readonly [Name in Quantity & Everywhere]: ValueOf<Name> } & SensedQuantities;

/** The sources that belong to the vehicle; GNSS, modem and power belong to the box. */
export type WiredSignals = Pick<Signals, 'obd' | 'troubleCodes' | 'can' | 'digital' | 'analog'>;

/** The reading of a quantity's sensor. */
export type Sensor = (name: Quantity) => SensedValue | undefined;

/**
 * The raw signals of a vehicle, encoded by its model's rows; only the sensors that send now are read. Unless it is
 * `awake`, with the ignition off, the drive's control units sleep: there are no OBD answers, and only those CAN frames
 * that are always sent. Without the bus only the ports are read.
 */
export function signalsBy(
  model: VehicleModel,
  awake: boolean,
  hasBus: boolean,
  sensed: Sensor,
): WiredSignals {
  const wiring = wiringOf(model);
  const signals: { -readonly [Name in keyof WiredSignals]: WiredSignals[Name] } = {};
  if (hasBus) {
    if (awake) {
      const obd = obdAnswers(wiring, sensed);
      if (obd.length > 0) signals.obd = obd;
      const codes = wiring.hasTroubleCodes ? sensed('troubleCodes') : undefined;
      // An empty list if there are none: mode 03 answers that too.
      if (Array.isArray(codes)) signals.troubleCodes = codes.slice(0, wireLimits.troubleCodes);
    }
    const frames = awake ? wiring.frames : wiring.framesAlways;
    if (frames.length > 0) signals.can = frames.map((frame) => canFrame(frame, sensed));
  }
  if (wiring.analog.length > 0) {
    signals.analog = wiring.analog.map(({ row, port }) => ({ port, millivolts: raw(row, sensed) }));
  }
  let digital = 0;
  for (const { row, port } of wiring.digital) if (raw(row, sensed) === 1) digital |= 1 << port;
  signals.digital = digital;
  return signals;
}

function obdAnswers({ answers }: Wiring, sensed: Sensor): NonNullable<Signals['obd']> {
  const obd: NonNullable<Signals['obd']>[number][] = [];
  for (const { pid, bytes, parts } of answers) {
    let data: Uint8Array | undefined;
    for (const { row, startBit, bits, present } of parts) {
      const value = sensed(row.quantity);
      // A control unit that cannot encode the value sends nothing.
      if (isMute(row, value)) continue;
      data ??= new Uint8Array(bytes);
      writeBits(data, startBit, bits, 'big', rawSignalOf(row, value));
      if (present !== undefined) writeBits(data, present, 1, 'big', 1);
    }
    if (data !== undefined) obd.push({ pid, data });
  }
  return obd;
}

function canFrame({ shape, parts }: WiredFrame, sensed: Sensor): CanFrame {
  const data = new Uint8Array(shape.bytes);
  for (const { row, startBit, bits, order } of parts)
    writeBits(data, startBit, bits, order, raw(row, sensed));
  return { bus: shape.bus, id: shape.id, data };
}

function isMute({ unavailable, failure }: SignalRow, sensed: SensedValue | undefined): boolean {
  const isNothing = sensed === undefined || sensed === 'unavailable' || sensed === 'failed';
  return isNothing && unavailable === undefined && failure === undefined;
}

function raw(row: SignalRow, sensed: Sensor): number {
  return rawSignalOf(row, sensed(row.quantity));
}
