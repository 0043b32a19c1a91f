import { endsSession } from '../../protocol/commands.ts';
import type { Placed } from '../../protocol/frame.ts';
import type {
  EventMessage,
  Frame,
  GoingDown,
  Hello,
  RecordMessage,
  Reply,
  Tombstone,
} from '../../protocol/message.ts';
import { featureEvent } from '../events/message-features.ts';
import { limits } from '../limits.ts';
import type { OpenCommand } from '../store/command-store.ts';
import type { Calibration, Wiped } from '../store/configuration-store.ts';
import type { BoxChange, KnownVehicle, SettledReply } from '../store/ingest-store.ts';
import type { BoxVehicle, SetupStatus, Vehicle, VehicleState } from '../store/vehicle-store.ts';
import { withLife } from '../vehicles/life-status.ts';
import { gatheredMs, mergeReport } from '../vehicles/records.ts';
import { Answers } from './answers.ts';
import { tellsOfVehicle } from './belonging.ts';
import { changeOf } from './box-change.ts';
import { FRAME_COUNTS } from './frame-counts.ts';
import { highest, holds, judgeClaim, settle } from './journal-position.ts';
import type { BoxLetter } from './letter.ts';
import type { FrameDown, MessageDraft, PlannedRecord, Translate } from './plan.ts';
import { type Presence, present } from './presence.ts';
import type { Tally } from './tally.ts';

/** What the letters of one batch share while they are folded. */
export interface FoldContext {
  readonly commands: ReadonlyMap<string, OpenCommand>;
  readonly translate: Translate;
  readonly tally: Tally;
  readonly records: PlannedRecord[];
  readonly replies: SettledReply[];
  readonly calibrations: Calibration[];
  readonly wiped: Wiped[];
}

/** One box through the letters of one batch: begins as loaded, ends as its change and the frames for it. */
export class BoxFold {
  readonly #known: KnownVehicle;
  readonly #context: FoldContext;
  #box: Vehicle['box'];
  #state: VehicleState;
  #setupStatus: SetupStatus;
  readonly #answers = new Answers();

  constructor(known: KnownVehicle, context: FoldContext) {
    this.#known = known;
    this.#context = context;
    this.#box = known.vehicle.box;
    this.#state = known.vehicle.state;
    this.#setupStatus = known.vehicle.setupStatus;
  }

  /** Takes one payload of this box. */
  take(letter: BoxLetter): void {
    const { payload, receivedMs } = letter;
    const before = this.#box;
    let isContact = false;
    for (const placed of payload.frames) {
      this.#takeFrame(letter, placed);
      // A retained frame says what was once; a will is the broker's word. Neither is contact with the box.
      if (placed.frame.message.kind !== 'gone' && !letter.retained) isContact = true;
    }
    for (const [index, misplaced] of payload.faults.entries()) {
      this.#context.tally.undecodable(letter, index, misplaced.fault, misplaced);
      if (misplaced.key !== undefined) this.#answers.unreadable(misplaced.key, this.#box.journal);
    }
    if (isContact) this.#box = { ...this.#box, lastContactMs: receivedMs };
    if (this.#box !== before) this.#box = withLife(before, this.#box, receivedMs);
  }

  #takeFrame(letter: BoxLetter, placed: Placed): void {
    const { frame } = placed;
    const { message, epoch } = frame;
    const { tally } = this.#context;
    tally.count(FRAME_COUNTS[message.kind]);
    switch (message.kind) {
      case 'receipt':
      case 'command':
      case 'configuration':
      case 'unreadable':
        tally.refuseFrame(letter, placed, 'wrong-direction', message.kind);
        return;
      default:
        break;
    }
    const channel = message.kind === 'birth' || message.kind === 'gone' ? 'presence' : 'up';
    if (channel !== letter.channel) {
      tally.refuseFrame(letter, placed, 'wrong-channel', `${message.kind} on ${letter.channel}`);
      return;
    }
    if (epoch !== this.#box.journal.epoch) {
      if (this.#box.journal.past?.includes(epoch)) {
        tally.refuseFrame(letter, placed, 'old-epoch', `epoch ${epoch}, now ${this.#box.journal.epoch}`);
        return;
      }
      this.#beginEpoch(epoch, letter.boxId);
    }
    switch (message.kind) {
      case 'hello':
        this.#takeHello(frame, message, letter);
        return;
      case 'ready':
        // The receipt shows the box that its `ready` was heard; it repeats it until then.
        this.#answers.oweReceipt();
        this.#setPresence(present(this.#box, message, letter.receivedMs));
        return;
      case 'birth':
      case 'gone':
      case 'going-down':
        this.#setPresence(present(this.#box, message, letter.receivedMs));
        return;
      case 'report':
      case 'heartbeat':
      case 'event':
      case 'reply':
      case 'access':
      case 'tombstone':
        this.#takeRecord(letter, placed, message);
        return;
      default:
        message satisfies never;
    }
  }

  /**
   * A wiped flash begins everything anew that the box counts: sequences and connections. It cannot know its old epoch,
   * so epochs have no order: one that was never seen is the next one.
   */
  #beginEpoch(epoch: number, boxId: string): void {
    const { epoch: before, past = [] } = this.#box.journal;
    const isFirst = before === 0;
    if (!isFirst) {
      this.#context.tally.trouble('new-epoch', boxId, `epoch ${epoch} after ${before}`);
      this.#context.wiped.push({ boxId, epoch });
    }
    this.#box = {
      ...this.#box,
      journal: {
        epoch,
        contiguous: 0,
        ranges: [],
        ...(isFirst ? {} : { past: [before, ...past].slice(0, limits.pastEpochs) }),
      },
      connection: undefined,
      notReadyUntilMs: undefined,
    };
    this.#answers.forgetTouched();
  }

  #takeHello(frame: Frame, hello: Hello, letter: BoxLetter): void {
    const { tally } = this.#context;
    const { lowestHeld, nextSequence } = hello;
    this.#setPresence(present(this.#box, hello, letter.receivedMs));
    this.#box = {
      ...this.#box,
      generation: frame.generation,
      firmware: hello.firmware,
      hardwareRevision: hello.hardwareRevision,
    };
    this.#answers.oweReceipt();
    const last = highest(this.#box.journal);
    if (nextSequence <= last) {
      tally.trouble('sequence-regression', letter.boxId, `next ${nextSequence}, stored up to ${last}`);
    }
    this.#box = { ...this.#box, journal: { ...this.#box.journal, claim: { lowestHeld, nextSequence } } };
    this.#judgeClaim(letter.boxId);
  }

  #takeRecord(letter: BoxLetter, placed: Placed, message: RecordMessage): void {
    const { tally, records } = this.#context;
    const { sequence, epoch, clockMs } = placed.frame;
    // A retained frame was not sent now: it shows nothing of the connection that stands.
    if (!letter.retained) this.#setPresence(present(this.#box, message, letter.receivedMs));
    this.#answers.oweReceipt();
    if (holds(this.#box.journal, sequence)) {
      tally.count('records.duplicate');
      this.#answers.touch(sequence);
      return;
    }
    if (message.kind === 'tombstone' && !isPossible(message, sequence)) {
      const range = `${message.first} to ${message.last} by ${sequence}`;
      tally.refuseFrame(letter, placed, 'impossible-tombstone', range);
      this.#answers.unreadable({ epoch, sequence }, this.#box.journal);
      return;
    }
    const settled = this.#settle(message, sequence);
    if (settled === undefined) {
      tally.trouble('too-many-gaps', letter.boxId, `sequence ${sequence}`);
      return;
    }
    this.#box = { ...this.#box, journal: settled };
    this.#answers.touch(sequence);
    this.#judgeClaim(letter.boxId);

    const lost = message.kind === 'tombstone' ? message.reports + message.events + message.replies : 0;
    tally.count('records.stored');
    if (lost > 0) tally.count('records.lost', lost);
    records.push({
      record: {
        boxId: letter.boxId,
        epoch,
        sequence,
        kind: message.kind,
        clockMs,
        receivedMs: letter.receivedMs,
        lost,
        ...(message.kind === 'tombstone' ? { covers: [message.first, message.last] } : {}),
      },
      draft: this.#takeContent(placed.frame, message, letter.receivedMs),
    });
  }

  /** What a record says of the vehicle, and the message that it leads to. */
  #takeContent(frame: Frame, message: RecordMessage, receivedMs: number): MessageDraft | undefined {
    switch (message.kind) {
      case 'event':
        if (message.event === 'damage-calibrated') {
          const { epoch, sequence } = frame;
          this.#context.calibrations.push({
            boxId: this.#known.vehicle.boxId,
            key: { epoch, sequence },
          });
        }
        if (message.event === 'firmware-update-failed') {
          const detail = `it runs ${this.#box.firmware?.join('.') ?? 'what it ran before'}`;
          this.#context.tally.trouble('update-failed', this.#known.vehicle.boxId, detail);
        }
        return this.#takeEvent(frame, message, receivedMs);
      case 'report':
        return this.#tell(frame, this.#translate(frame, message.signals, receivedMs), receivedMs, undefined);
      case 'heartbeat':
        return this.#tell(frame, {}, receivedMs, undefined);
      case 'reply':
        return this.#takeReply(frame, message, receivedMs);
      case 'access': {
        const properties = this.#translate(frame, message.signals, receivedMs);
        const draft = this.#tell(frame, properties, receivedMs, undefined);
        return draft === undefined ? undefined : { ...draft, tokenId: message.tokenId };
      }
      case 'tombstone':
        return undefined;
      default:
        return message satisfies never;
    }
  }

  /** An event tells the vehicle's state as a report does; behind that comes what a feature measured. */
  #takeEvent(frame: Frame, message: EventMessage, receivedMs: number): MessageDraft | undefined {
    const properties = this.#translate(frame, message.signals, receivedMs);
    const draft = this.#tell(frame, properties, receivedMs, undefined);
    const { event, measured } = message;
    const feature = featureEvent(event, measured, gatheredMs(frame.clockMs, receivedMs));
    return draft === undefined || feature === undefined ? draft : { ...draft, feature };
  }

  /**
   * A reply without signals settles its command, but tells nothing of the vehicle: it leads to no message. Nor does one
   * to a command of the vehicle in which the box was before.
   */
  #takeReply(frame: Frame, reply: Reply, receivedMs: number): MessageDraft | undefined {
    const { boxId, id } = this.#known.vehicle;
    const found = this.#context.commands.get(reply.requestId);
    const command = found?.boxId === boxId ? found : undefined;
    const isOfOther = command !== undefined && command.vehicleId !== id;
    const state =
      reply.signals === undefined || isOfOther
        ? undefined
        : this.#translate(frame, reply.signals, receivedMs);
    this.#context.replies.push({
      reply,
      boxId,
      key: { epoch: frame.epoch, sequence: frame.sequence },
      atMs: receivedMs,
      ...(state === undefined ? {} : { state }),
    });
    if (command !== undefined && reply.outcome === 'done') this.#goesAfter(command, receivedMs);
    if (command?.command === 'begin-setup' && reply.outcome === 'done' && !isOfOther)
      this.#becomeSetUp(frame.sequence);
    return state === undefined ? undefined : this.#tell(frame, state, receivedMs, command);
  }

  /**
   * A command that ends the session is as good as a going-down, which may be lost or late: whoever reads the outcome
   * finds the box on its way down. A reply that was sent again is of a session that has ended long since: the box was
   * ready anew after the command had been opened.
   */
  #goesAfter({ command, openedMs }: OpenCommand, receivedMs: number): void {
    const { life, connection, notReadyUntilMs } = this.#box;
    if (!endsSession(command) || connection?.open !== true || notReadyUntilMs !== undefined) return;
    if (life?.value === 'ONLINE' && life.sinceMs <= openedMs)
      this.#setPresence(present(this.#box, GOES_DOWN, receivedMs));
  }

  /** The box has made itself acquainted with its vehicle; the store writes it in the commit of this reply. */
  #becomeSetUp(sequence: number): void {
    if (this.#setupStatus === 'SUCCEEDED') return;
    this.#setupStatus = 'SUCCEEDED';
    this.#box = { ...this.#box, journal: { ...this.#box.journal, setUpAt: sequence } };
  }

  #translate(frame: Frame, signals: Parameters<Translate>[1], receivedMs: number): VehicleState {
    const timestampMs = gatheredMs(frame.clockMs, receivedMs);
    const { model, maintenance } = this.#known.vehicle;
    return this.#context.translate(model, signals, { timestampMs, maintenance, key: frame });
  }

  /** Puts what a record says into the vehicle's state, and drafts its message; neither where it is not the vehicle's. */
  #tell(
    frame: Frame,
    properties: VehicleState,
    receivedMs: number,
    command: OpenCommand | undefined,
  ): MessageDraft | undefined {
    const { id, fleetId, createdMs } = this.#known.vehicle;
    const vehicle = { setupStatus: this.#setupStatus, createdMs };
    if (!tellsOfVehicle({ vehicle, journal: this.#box.journal }, frame)) return undefined;
    this.#state = mergeReport(this.#state, properties);
    return { vehicleId: id, fleetId, receivedMs, properties, command };
  }

  /** A tombstone settles the records that it gave up beside its own; all of it or nothing. */
  #settle(message: RecordMessage, sequence: number): Vehicle['box']['journal'] | undefined {
    const { journal } = this.#box;
    const before = message.kind === 'tombstone' ? settle(journal, message.first, message.last) : journal;
    return before === undefined ? undefined : settle(before, sequence, sequence);
  }

  #judgeClaim(boxId: string): void {
    if (this.#box.journal.claim === undefined) return;
    const { position, unexplained } = judgeClaim(this.#box.journal);
    if (unexplained > 0) {
      this.#context.tally.count('records.unexplained', unexplained);
      this.#context.tally.trouble('unexplained-gap', boxId, `${unexplained} up to ${position.contiguous}`);
    }
    if (position !== this.#box.journal) this.#box = { ...this.#box, journal: position };
  }

  #setPresence(presence: Presence): void {
    if (presence === this.#box) return;
    const { connection, notReadyUntilMs } = presence;
    const { simSuspendedMs, ...box } = this.#box;
    const isNew = connection?.open === true && connection.counter !== box.connection?.counter;
    // A new connection shows that the card is active again, whoever had it activated.
    const sim = simSuspendedMs === undefined || isNew ? {} : { simSuspendedMs };
    this.#box = { ...box, ...sim, connection, notReadyUntilMs };
  }

  /** The vehicle as it is after the letters; the loaded one itself where nothing changed. */
  vehicle(): BoxVehicle {
    const { vehicle } = this.#known;
    if (this.#box === vehicle.box && this.#state === vehicle.state) return vehicle;
    return { ...vehicle, box: this.#box, state: this.#state };
  }

  /** The change for the store to what `vehicle` gave; undefined where nothing changed. */
  changeTo(vehicle: BoxVehicle): BoxChange | undefined {
    return changeOf(this.#known, vehicle);
  }

  /** The frames that go down once the change is committed. */
  down(): readonly FrameDown[] {
    return this.#answers.frames(this.#known.vehicle.boxId, this.#box);
  }
}

const GOES_DOWN: GoingDown = { kind: 'going-down', reason: 'reset', expectedS: 0 };

/** A tombstone stands behind what it gave up. */
function isPossible(tombstone: Tombstone, sequence: number): boolean {
  return tombstone.first >= 1 && tombstone.first <= tombstone.last && tombstone.last < sequence;
}
