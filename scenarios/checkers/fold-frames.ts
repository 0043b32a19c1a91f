import { translateNamed } from '../../backend/vehicles/translate.ts';
import type { Message } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import { ALL_KINDS } from '../run/books.ts';
import type { Evidence, SeenFrame } from '../run/evidence.ts';
import type { Player } from '../run/theatre.ts';

/** What a property comes to, and the record that said it. */
export interface Folded {
  readonly value: unknown;
  readonly timestampMs: number;
  readonly key: string;
}

/** What the fold takes from the vehicle's record: it is what its owner ordered, not what its box told. */
export interface FoldTerms {
  readonly maintenance: boolean;
  /** Nothing that a box's clock puts before this tells of the vehicle. */
  readonly createdMs: number;
  /** What a box tells before its vehicle is set up is of the vehicle in which it was before, or of none. */
  readonly isSetUp: boolean;
}

/**
 * The twin rule of gaps.md, from the frames on the wire: of each property the latest record by sequence; a later epoch
 * (by its first frame) over an earlier one. Only records that the service has stored count, at the time at which it
 * received them; the signals are read by the backend's tables of the model. Of a vehicle that was set up by the wire
 * (begin-setup), only what stands in the journal behind that counts, and before it is set up nothing does (gaps.md,
 * Vehicles: a box changes fleets).
 */
export async function foldFrames(
  evidence: Evidence,
  player: Player,
  terms: FoldTerms,
): Promise<{ readonly state: ReadonlyMap<string, Folded>; readonly records: number }> {
  const stored = new Map<string, number>();
  for await (const page of evidence.records(player))
    for (const { key, storedMs } of page) stored.set(key, storedMs);
  const epochs = new Map<number, Map<string, Folded & { readonly sequence: number }>>();
  const setups = new Set<string>();
  let setUp: { readonly epoch: number; readonly sequence: number } | undefined;
  const seen = new Set<string>();
  for await (const page of evidence.frames(player, ALL_KINDS)) {
    for (const frame of page) {
      const { direction, epoch, sequence, message } = frame;
      if (direction === 'down') {
        if (message.kind === 'command' && message.command === 'begin-setup') setups.add(message.requestId);
        continue;
      }
      const key = `${player.boxId}/${epoch}/${sequence}`;
      const receivedMs = stored.get(key);
      if (sequence === 0 || receivedMs === undefined || seen.has(key)) continue;
      seen.add(key);
      if (message.kind === 'reply' && message.outcome === 'done' && setups.has(message.requestId)) {
        setUp = { epoch, sequence };
        // What earlier epochs said was of another vehicle, or of none.
        for (const past of epochs.keys()) if (past !== epoch) epochs.delete(past);
      }
      const signals = signalsOf(message);
      const said = epochs.get(epoch) ?? new Map();
      epochs.set(epoch, said);
      if (signals !== undefined && terms.isSetUp && isOfVehicle(frame, terms))
        tell(said, signals, frame, key, receivedMs, player, terms);
    }
  }
  const state = new Map<string, Folded>();
  for (const [epoch, said] of epochs) {
    for (const [name, one] of said) {
      if (setUp?.epoch === epoch && one.sequence <= setUp.sequence) continue;
      state.set(name, one);
    }
  }
  return { state, records: seen.size };
}

function signalsOf(message: Message): Signals | undefined {
  switch (message.kind) {
    case 'report':
    case 'event':
    case 'access':
      return message.signals;
    case 'reply':
      return message.signals;
    default:
      return undefined;
  }
}

function isOfVehicle({ clockMs }: SeenFrame, { createdMs }: FoldTerms): boolean {
  return clockMs === 0 || clockMs >= createdMs;
}

function tell(
  said: Map<string, Folded & { readonly sequence: number }>,
  signals: Signals,
  { sequence, clockMs }: SeenFrame,
  key: string,
  receivedMs: number,
  { model }: Player,
  { maintenance }: FoldTerms,
): void {
  const timestampMs = clockMs === 0 ? receivedMs : Math.min(clockMs, receivedMs);
  for (const [name, property] of Object.entries(
    translateNamed(model, signals, { timestampMs, maintenance }),
  )) {
    if (property === undefined || (said.get(name)?.sequence ?? 0) > sequence) continue;
    said.set(name, { value: property.value, timestampMs: property.timestampMs, key, sequence });
  }
}
