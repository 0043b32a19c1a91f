import { faultsOfModel } from '../../../backend/vehicles/check-models.ts';
import type { DbcDatabase, DbcMessage, DbcSignal } from '../../../protocol/dbc/database.ts';
import { wireLimits } from '../../../protocol/limits.ts';
import type { CanFrameShape, SignalRow, VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity, SwitchQuantity } from '../../../protocol/models/quantities.ts';
import { digital, flag } from '../../../protocol/models/rows.ts';
import { assumedVehicle } from './assumed-vehicle.ts';
import { type Candidate, candidatesIn } from './matching/candidates.ts';
import { type RowOfSignal, rowOfSignal, unreadableReason } from './matching/row-of-signal.ts';
import { MATCH_RULES, type MatchRule } from './matching/rules.ts';

/** A model that a CAN database suggests, and the source of each part. It passes the checks of all models. */
export interface Proposal {
  readonly model: VehicleModel;
  readonly matches: readonly Match[];
  /** Rows without a signal, with the reason; in the order of the model, after those of the matches. */
  readonly wires: readonly { readonly quantity: Quantity; readonly reason: string }[];
  readonly unmatched: readonly Unmatched[];
  /** What the model needs and the file does not contain, one sentence each. */
  readonly assumptions: readonly string[];
}

export interface Match {
  readonly message: DbcMessage;
  readonly signal: DbcSignal;
  readonly row: SignalRow;
  readonly reason: string;
}

export interface Unmatched {
  readonly message: DbcMessage;
  readonly signal: DbcSignal;
  readonly reason: string;
}

const NO_NAME = 'no property has such a name';

/** Quantities whose control units send while the vehicle is parked, too. */
const BODY: ReadonlySet<Quantity> = new Set<Quantity>([
  ...(['ignitionOn', 'anyDoorOpen', 'locked', 'keyPresent', 'windowsOpen', 'sunroofOpen'] as const),
  ...(['convertibleTopOpen', 'charging', 'chargingAdapterConnected', 'chargingMinutesLeft'] as const),
]);

/** The wires that a box has in a car whose bus does not have the signal. */
const WIRES: readonly (readonly [SwitchQuantity, { inverted?: true }, string])[] = [
  ['ignitionOn', {}, 'terminal 15, 1 on'],
  ['anyDoorOpen', { inverted: true }, 'door contacts in a row, 0 any open'],
  ['locked', {}, 'central lock, 1 locked'],
  ['drivingEnabled', { inverted: true }, 'starter relay, 1 interrupted'],
];

/** Proposes a model of that name by the names, units and value tables of the signals. Total. */
export function proposeModel(database: DbcDatabase, name: string, bus: 0 | 1): Proposal {
  const candidates = candidatesIn(database);
  const { assumptions, ...vehicle } = assumedVehicle(database, candidates, name);
  const twins = twinsIn(database);
  const taking = new Taking({ ...vehicle, frames: [], rows: [] }, bus, twins);
  for (const candidate of inOrderOfWorth(candidates, taking)) taking.consider(candidate);
  const matched = taking.matches;
  const wired = WIRES.filter(([quantity]) => !matched.some(({ row }) => row.quantity === quantity));
  const rows = [
    ...matched.map(({ row }) => row),
    ...wired.map(([quantity, more], port) => flag(digital(port), quantity, more)),
  ];
  const frames = taking.frames.map((frame) => ({ ...frame, always: isAlways(frame, rows) }));
  return {
    model: { ...vehicle, frames, rows },
    matches: matched,
    wires: wired.map(([quantity, , wire]) => ({ quantity, reason: `no signal says it: a wire, ${wire}` })),
    unmatched: database.messages.flatMap((message) =>
      message.signals.flatMap((signal) =>
        matched.some((one) => one.signal === signal)
          ? []
          : [
              {
                message,
                signal,
                reason:
                  taking.reasons.get(signal) ??
                  twins.get(message) ??
                  unreadableReason(message, signal) ??
                  NO_NAME,
              },
            ],
      ),
    ),
    assumptions: [
      ...assumptions,
      ...(frames.some(({ always }) => always)
        ? [
            'Frames of doors, locks, ignition and charging are also sent without ignition, all others only with it.',
          ]
        : ['No frame is sent without ignition.']),
    ],
  };
}

/** Messages whose identifier another one has too, with 11 bits and with 29; and why a box cannot read them. */
function twinsIn({ messages }: DbcDatabase): ReadonlyMap<DbcMessage, string> {
  const first = new Map<number, DbcMessage>();
  const twins = new Map<DbcMessage, string>();
  const reason = ({ name }: DbcMessage) =>
    `its identifier is also that of ${name}, and a box tells frames apart by nothing else`;
  for (const message of messages) {
    const other = first.get(message.id);
    if (other === undefined) first.set(message.id, message);
    else {
      twins.set(message, reason(other));
      if (!twins.has(other)) twins.set(other, reason(message));
    }
  }
  return twins;
}

function isAlways(frame: CanFrameShape, rows: readonly SignalRow[]): boolean {
  return rows.some(
    ({ source, quantity }) => source.from === 'can' && source.id === frame.id && BODY.has(quantity),
  );
}

function withoutCodes({ unavailable: _, failure: __, ...bare }: SignalRow): SignalRow {
  return bare;
}

/**
 * The best candidate of each quantity first, in the order of the rules: if a box has not room for all frames, speed and
 * charge come before a warning with a better name. Then all others, one of which is used if the best is refused.
 */
function inOrderOfWorth(candidates: readonly Candidate[], taking: Taking): readonly Candidate[] {
  const best = new Map<MatchRule, Candidate>();
  const signals = new Set<DbcSignal>();
  for (const candidate of candidates) {
    if (best.has(candidate.rule) || signals.has(candidate.signal) || !taking.isAcceptable(candidate))
      continue;
    best.set(candidate.rule, candidate);
    signals.add(candidate.signal);
  }
  const first = MATCH_RULES.flatMap((rule) => best.get(rule) ?? []);
  return [...first, ...candidates.filter((candidate) => best.get(candidate.rule) !== candidate)];
}

/** Takes candidates as long as the model stays valid; of a quantity and of a signal the first. */
class Taking {
  readonly matches: Match[] = [];
  readonly frames: CanFrameShape[] = [];
  /** Why a signal that has the name of a quantity is not in the model. */
  readonly reasons = new Map<DbcSignal, string>();
  readonly #vehicle: VehicleModel;
  readonly #bus: 0 | 1;
  readonly #twins: ReadonlyMap<DbcMessage, string>;

  constructor(vehicle: VehicleModel, bus: 0 | 1, twins: ReadonlyMap<DbcMessage, string>) {
    this.#vehicle = vehicle;
    this.#bus = bus;
    this.#twins = twins;
  }

  /** Whether a model with that signal alone is valid. */
  isAcceptable(candidate: Candidate): boolean {
    const made = this.#rowOf(candidate);
    return (
      'row' in made &&
      this.#accepted(made.row, withoutCodes(made.row), [this.#frameOf(candidate.message)]).row !== undefined
    );
  }

  consider(candidate: Candidate): void {
    const { signal, rule } = candidate;
    if (this.matches.some((match) => match.signal === signal)) return;
    const taken = this.matches.find(({ row }) => row.quantity === rule.quantity);
    const reason =
      taken === undefined
        ? this.#take(candidate)
        : `${rule.quantity} is read from ${taken.message.name}.${taken.signal.name}`;
    if (reason === undefined) this.reasons.delete(signal);
    else if (!this.reasons.has(signal)) this.reasons.set(signal, reason);
  }

  #take(candidate: Candidate): string | undefined {
    const { rule, message, signal, because } = candidate;
    const made = this.#rowOf(candidate);
    if ('refusal' in made) return `like ${rule.quantity}, but ${made.refusal}`;
    const shape = this.#frameOf(message);
    const isNew = !this.frames.includes(shape);
    if (isNew && this.frames.length >= wireLimits.canFrames)
      return `like ${rule.quantity}, but a box holds ${wireLimits.canFrames} frames, and others came first`;
    const frames = isNew ? [...this.frames, shape] : this.frames;
    const bare = withoutCodes(made.row);
    const { row, fault } = this.#accepted(made.row, bare, frames);
    if (row === undefined) return `like ${rule.quantity}, but ${fault}`;
    if (isNew) this.frames.push(shape);
    const notes = [`its name says ${because}`, ...made.notes];
    const hasLost = row === bare && row.unavailable !== made.row.unavailable;
    if (hasLost) notes.push('its range contains labels without a value, which cannot be distinguished');
    this.matches.push({ message, signal, row, reason: notes.join('; ') });
    return undefined;
  }

  /** The row unchanged, or else without its codes: labels in the middle of a range cannot be codes. */
  #accepted(
    whole: SignalRow,
    bare: SignalRow,
    frames: readonly CanFrameShape[],
  ): { readonly row?: SignalRow; readonly fault: string } {
    let fault = '';
    for (const row of [whole, bare]) {
      const rows = [...this.matches.map((match) => match.row), row];
      const [found] = faultsOfModel({ ...this.#vehicle, frames, rows });
      if (found === undefined) return { row, fault };
      fault ||= found.replace(/^[^:]+: (?:rows\[\d+\] \([^)]*\): )?/, '');
    }
    return { fault };
  }

  #rowOf(candidate: Candidate): RowOfSignal {
    const refusal = this.#twins.get(candidate.message);
    return refusal === undefined ? rowOfSignal(candidate, this.#bus) : { refusal };
  }

  #frameOf({ id, bytes }: DbcMessage): CanFrameShape {
    const known = this.frames.find((frame) => frame.id === id);
    return known ?? { bus: this.#bus, id, bytes: bytes as CanFrameShape['bytes'], always: false };
  }
}
