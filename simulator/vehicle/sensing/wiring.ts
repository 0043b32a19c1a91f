import type { BitOrder } from '../../../protocol/can.ts';
import type { CanFrameShape, SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity } from '../../../protocol/models/quantities.ts';

/** The rows of a model sorted by their source, computed once for each model. */
export interface Wiring {
  /** One answer per PID in ascending order, whatever number of rows reads it. */
  readonly answers: readonly WiredAnswer[];
  readonly hasTroubleCodes: boolean;
  readonly frames: readonly WiredFrame[];
  /** The frames that are sent with the ignition off too. */
  readonly framesAlways: readonly WiredFrame[];
  readonly digital: readonly WiredPort[];
  readonly analog: readonly WiredPort[];
  /**
   * The rows that are also sent with the ignition off and whose values keep changing: cooling, and a
   * discharging battery.
   */
  readonly slow: readonly SignalRow[];
}

interface WiredAnswer {
  readonly pid: number;
  readonly bytes: number;
  readonly parts: readonly {
    readonly row: SignalRow;
    readonly startBit: number;
    readonly bits: number;
    readonly present: number | undefined;
  }[];
}

export interface WiredFrame {
  readonly shape: CanFrameShape;
  readonly parts: readonly {
    readonly row: SignalRow;
    readonly startBit: number;
    readonly bits: number;
    readonly order: BitOrder;
  }[];
}

interface WiredPort {
  readonly row: SignalRow;
  readonly port: number;
}

const SLOW: ReadonlySet<Quantity> = new Set<Quantity>([
  'coolantTemperatureC',
  'coolantHot',
  'battery1TemperatureC',
  'battery2TemperatureC',
  'onboardVolts',
]);

const known = new WeakMap<VehicleModel, Wiring>();

/** The wiring of the model. */
export function wiringOf(model: VehicleModel): Wiring {
  let wiring = known.get(model);
  if (wiring === undefined) {
    wiring = wired(model);
    known.set(model, wiring);
  }
  return wiring;
}

function wired(model: VehicleModel): Wiring {
  const frames = model.frames.map((shape) => wiredFrame(model, shape));
  const framesAlways = frames.filter(({ shape }) => shape.always);
  const digital = wiredPorts(model, 'digital');
  const analog = wiredPorts(model, 'analog');
  const atRest = [...framesAlways.flatMap(({ parts }) => parts), ...digital, ...analog];
  return {
    answers: wiredAnswers(model),
    hasTroubleCodes: model.rows.some(({ source }) => source.from === 'trouble-codes'),
    frames,
    framesAlways,
    digital,
    analog,
    slow: atRest.map(({ row }) => row).filter(({ quantity }) => SLOW.has(quantity)),
  };
}

function wiredAnswers(model: VehicleModel): readonly WiredAnswer[] {
  const answers = new Map<number, { pid: number; bytes: number; parts: WiredAnswer['parts'][number][] }>();
  for (const row of model.rows) {
    if (row.source.from !== 'obd') continue;
    const { pid, bytes, startBit = 7, bits = 8 * bytes, present } = row.source;
    const answer = answers.get(pid) ?? { pid, bytes, parts: [] };
    answer.parts.push({ row, startBit, bits, present });
    answers.set(pid, answer);
  }
  return [...answers.values()].sort((one, other) => one.pid - other.pid);
}

function wiredFrame(model: VehicleModel, shape: CanFrameShape): WiredFrame {
  const parts = model.rows.flatMap((row) => {
    const { source } = row;
    if (source.from !== 'can' || source.bus !== shape.bus || source.id !== shape.id) return [];
    return [{ row, startBit: source.startBit, bits: source.bits, order: source.order }];
  });
  return { shape, parts };
}

function wiredPorts(model: VehicleModel, from: 'digital' | 'analog'): readonly WiredPort[] {
  return model.rows.flatMap((row) => (row.source.from === from ? [{ row, port: row.source.port }] : []));
}
