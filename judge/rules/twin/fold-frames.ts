import type { Message } from '../../../protocol/message.ts';
import type { Signals } from '../../../protocol/signals.ts';
import { ulidMs } from '../../../protocol/ulid.ts';
import type { Evidence, RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import { propertiesOfSignals, signalsOf } from './record-properties.ts';

/** The value of a property after all frames, and the record that it comes from. */
export interface FoldedProperty {
  readonly value: unknown;
  /** It is unknown whether the record reported it, since its booking then is undetermined. */
  readonly isOpen?: true;
  readonly timestampMs: number;
  readonly key: string;
}

/** What the fold takes from the vehicle's record: what the owner ordered, not what the box reported. */
export interface FoldSettings {
  /** Whether the maintenance set was booked at that time; undefined: it may have been. */
  readonly isBookedAt: (atMs: number) => boolean | undefined;
  /** Records from before the setup belong to the vehicle that the box was in before, or to none. */
  readonly isSetUp: boolean;
  /**
   * When its vehicle was requested; absent: before the run. Its setup begins after that, if the service does not name
   * its vehicle.
   */
  readonly onboardedMs?: number | undefined;
}

/**
 * Applies the twin rule (docs/architecture.md, The way up) to the frames on the wire: of each property the record with
 * the highest sequence counts, and a later epoch (by its first frame) wins over an earlier one. Only records that the
 * service has stored count, with the time at which it received them. When the setup was started by a frame
 * (begin-setup), only records after it in the journal count, and none that the service received before its answer: the
 * box may come from a vehicle of another fleet. A box that was set up before the run was in no other vehicle.
 */
export async function foldFrames(
  evidence: Evidence,
  vehicle: SimulatedVehicle,
  settings: FoldSettings,
): Promise<{ readonly state: ReadonlyMap<string, FoldedProperty>; readonly records: number }> {
  const stored = new Map<string, number>();
  for await (const page of evidence.records(vehicle))
    for (const { key, storedMs } of page) stored.set(key, storedMs);
  const epochs = new Map<number, Map<string, FoldedProperty & { readonly sequence: number }>>();
  const setups = new Set<string>();
  let setUp: { readonly epoch: number; readonly sequence: number; readonly receivedMs: number } | undefined;
  const told: {
    readonly frame: RecordedFrame;
    readonly signals: Signals;
    readonly key: string;
    readonly receivedMs: number;
  }[] = [];
  const seen = new Set<string>();
  for await (const page of evidence.frames(vehicle, ALL_FRAME_KINDS)) {
    for (const frame of page) {
      const { direction, epoch, sequence, message } = frame;
      if (direction === 'down') {
        if (isBeginSetup(message) && (await isOf(message.requestId, vehicle, evidence, settings)))
          setups.add(message.requestId);
        continue;
      }
      const key = `${vehicle.boxId}/${epoch}/${sequence}`;
      const receivedMs = stored.get(key);
      if (sequence === 0 || receivedMs === undefined || seen.has(key)) continue;
      seen.add(key);
      // A setup that was restarted meanwhile may be answered again: the first answer counts.
      const isAnswer = message.kind === 'reply' && message.outcome === 'done';
      if (isAnswer && setUp === undefined && setups.has(message.requestId)) {
        setUp = { epoch, sequence, receivedMs };
        // Earlier epochs belong to another vehicle or to none.
        for (const past of epochs.keys()) if (past !== epoch) epochs.delete(past);
      }
      const signals = signalsOf(message);
      epochs.set(epoch, epochs.get(epoch) ?? new Map());
      if (signals !== undefined && settings.isSetUp) told.push({ frame, signals, key, receivedMs });
    }
  }
  for (const { frame, signals, key, receivedMs } of told) {
    const reported = epochs.get(frame.epoch);
    const isOfAnother =
      setUp?.epoch === frame.epoch && (frame.sequence <= setUp.sequence || receivedMs < setUp.receivedMs);
    if (reported !== undefined && !isOfAnother)
      addSignals(evidence, reported, signals, frame, key, receivedMs, vehicle, settings);
  }
  const state = new Map<string, FoldedProperty>([...epochs.values()].flatMap((reported) => [...reported]));
  return { state, records: seen.size };
}

/**
 * Whether that setup is for the box's current vehicle: one for the previous vehicle may begin while a new one is
 * requested, and its command may arrive later.
 */
async function isOf(
  requestId: string,
  { vehicleId }: SimulatedVehicle,
  evidence: Evidence,
  { onboardedMs = 0 }: FoldSettings,
): Promise<boolean> {
  const told = await evidence.vehicleOfRequest(requestId);
  return told === undefined ? ulidMs(requestId) >= onboardedMs : told === vehicleId;
}

function isBeginSetup(message: Message): message is Extract<Message, { readonly kind: 'command' }> {
  return message.kind === 'command' && message.command === 'begin-setup';
}

function addSignals(
  evidence: Evidence,
  reported: Map<string, FoldedProperty & { readonly sequence: number }>,
  signals: Signals,
  { sequence, clockMs }: RecordedFrame,
  key: string,
  receivedMs: number,
  { model }: SimulatedVehicle,
  { isBookedAt }: FoldSettings,
): void {
  const timestampMs = clockMs === 0 ? receivedMs : Math.min(clockMs, receivedMs);
  const tell = (name: string, value: unknown, isOpen?: true): void => {
    if ((reported.get(name)?.sequence ?? 0) <= sequence)
      reported.set(name, { value, timestampMs, key, sequence, ...(isOpen ? { isOpen } : {}) });
  };
  const isBooked = isBookedAt(receivedMs);
  const always = propertiesOfSignals(evidence, model, signals, { timestampMs, maintenance: false });
  const all =
    isBooked === false
      ? always
      : propertiesOfSignals(evidence, model, signals, { timestampMs, maintenance: true });
  for (const [name, value] of all)
    tell(name, value, isBooked === undefined && !always.has(name) ? true : undefined);
}
