import type { DecodedFrame } from '../../protocol/codec/frame.ts';
import { endsSession } from '../../protocol/commands.ts';
import type {
  EventMessage,
  Frame,
  GoingDown,
  Hello,
  Ready,
  RecordMessage,
  Reply,
} from '../../protocol/message.ts';
import { featureEvent } from '../events/message-features.ts';
import type { OpenCommand } from '../store/port/command-store.ts';
import type { CalibrationReport, FlashWipe } from '../store/port/configuration-store.ts';
import type { KnownVehicle, SettledReply } from '../store/port/ingest-store.ts';
import { withLifeStatus } from '../store/port/life-status.ts';
import type { BoxVehicle, SetupStatus, Vehicle, VehicleState } from '../store/port/stored-vehicle.ts';
import { mergeReport, recordTimeMs } from '../vehicles/records.ts';
import type { DownlinkFrame, MessageDraft, RecordWithDraft, Translate } from './batch-result.ts';
import { type BatchStats, FRAME_COUNTS } from './batch-stats.ts';
import { isPossible, lostBy, settledBy, withPresence } from './box-change.ts';
import { DueReceipts } from './due-receipts.ts';
import { type EpochVerdict, judgeEpoch } from './epochs.ts';
import type { BoxMessage } from './inbound-message.ts';
import { belongsToVehicle, checkJournalClaim, highestSettled, isSettled } from './journal-position.ts';
import { isOvertaken, type Presence, updatedPresence } from './presence.ts';

/** What the reductions of one batch share. */
export interface ReductionContext {
  readonly commands: ReadonlyMap<string, OpenCommand>;
  readonly translate: Translate;
  readonly stats: BatchStats;
  readonly records: RecordWithDraft[];
  readonly replies: SettledReply[];
  readonly calibrations: CalibrationReport[];
  readonly flashWipes: FlashWipe[];
}

/**
 * Applies the messages of one batch to one box: from the loaded vehicle to its change and the frames for it.
 */
export class BoxReduction {
  readonly #known: KnownVehicle;
  readonly #context: ReductionContext;
  #box: Vehicle['box'];
  #state: VehicleState;
  #setupStatus: SetupStatus;
  readonly #dueReceipts = new DueReceipts();

  constructor(known: KnownVehicle, context: ReductionContext) {
    this.#known = known;
    this.#context = context;
    this.#box = known.vehicle.box;
    this.#state = known.vehicle.state;
    this.#setupStatus = known.vehicle.setupStatus;
  }

  /** Applies one payload of this box. */
  reduce(inbound: BoxMessage): void {
    const { decoded, receivedMs } = inbound;
    const before = this.#box;
    let isContact = false;
    for (const placed of decoded.frames) {
      this.#reduceFrame(inbound, placed);
      // A retained frame is old; a will comes from the broker. Neither is contact with the box.
      if (placed.frame.message.kind !== 'gone' && !inbound.retained) isContact = true;
    }
    for (const [index, misplaced] of decoded.faults.entries()) {
      this.#context.stats.refuseUndecodable(inbound, index, misplaced.fault, misplaced);
      if (misplaced.key !== undefined) this.#dueReceipts.addUnreadable(misplaced.key, this.#box.journal);
    }
    if (isContact) this.#box = { ...this.#box, lastContactMs: receivedMs };
    if (this.#box !== before) this.#box = withLifeStatus(before, this.#box, receivedMs);
  }

  #reduceFrame(inbound: BoxMessage, placed: DecodedFrame): void {
    const { frame } = placed;
    const { message, epoch } = frame;
    const { stats } = this.#context;
    stats.count(FRAME_COUNTS[message.kind]);
    switch (message.kind) {
      case 'receipt':
      case 'command':
      case 'configuration':
      case 'unreadable':
      case 'resend':
        stats.refuseFrame(inbound, placed, 'wrong-direction', message.kind);
        return;
      default:
        break;
    }
    const channel = message.kind === 'birth' || message.kind === 'gone' ? 'presence' : 'up';
    if (channel !== inbound.channel) {
      stats.refuseFrame(inbound, placed, 'wrong-channel', `${message.kind} on ${inbound.channel}`);
      return;
    }
    const verdict = judgeEpoch(this.#box, frame, inbound, this.#setupStatus === 'SUCCEEDED');
    if (verdict.kind === 'past') {
      stats.refuseFrame(inbound, placed, 'old-epoch', `epoch ${epoch}, now ${this.#box.journal.epoch}`);
      this.#box = verdict.box;
      return;
    }
    this.#enterEpoch(verdict, inbound.boxId);
    switch (message.kind) {
      case 'hello':
        this.#reduceHello(frame, message, inbound);
        return;
      case 'ready':
        this.#reduceReady(frame, message, inbound.receivedMs);
        return;
      case 'birth':
      case 'gone':
      case 'going-down':
        this.#setPresence(updatedPresence(this.#box, message, inbound.receivedMs));
        return;
      case 'report':
      case 'heartbeat':
      case 'event':
      case 'reply':
      case 'access':
      case 'tombstone':
        this.#reduceRecord(inbound, placed, message);
        return;
      default:
        message satisfies never;
    }
  }

  #enterEpoch({ kind, box }: EpochVerdict, boxId: string): void {
    const { epoch: before } = this.#box.journal;
    const { epoch } = box.journal;
    this.#box = box;
    if (kind === 'in-force') return;
    this.#dueReceipts.forgetSequences();
    if (before === 0) return;
    const { stats, flashWipes } = this.#context;
    if (kind === 'returns') stats.addTrouble('epoch-return', boxId, `epoch ${epoch} again, after ${before}`);
    else stats.addTrouble('new-epoch', boxId, `epoch ${epoch} after ${before}`);
    flashWipes.push({ boxId, epoch });
  }

  #reduceHello(frame: Frame, hello: Hello, inbound: BoxMessage): void {
    const { stats } = this.#context;
    const { lowestHeld, nextSequence } = hello;
    const isLate = isOvertaken(frame, this.#box.journal.readySent);
    this.#setPresence(updatedPresence(this.#box, hello, inbound.receivedMs, isLate));
    this.#box = {
      ...this.#box,
      generation: frame.generation,
      firmware: hello.firmware,
      hardwareRevision: hello.hardwareRevision,
    };
    this.#dueReceipts.requireReceipt();
    const last = highestSettled(this.#box.journal);
    if (nextSequence <= last) {
      stats.addTrouble('sequence-regression', inbound.boxId, `next ${nextSequence}, stored up to ${last}`);
    }
    this.#box = { ...this.#box, journal: { ...this.#box.journal, claim: { lowestHeld, nextSequence } } };
    this.#checkClaim(inbound.boxId);
  }

  #reduceReady({ boot, clockMs }: Frame, ready: Ready, receivedMs: number): void {
    // The receipt confirms its `ready` to the box, which repeats it until then.
    this.#dueReceipts.requireReceipt();
    this.#setPresence(updatedPresence(this.#box, ready, receivedMs));
    if (clockMs > 0)
      this.#box = { ...this.#box, journal: { ...this.#box.journal, readySent: { boot, clockMs } } };
  }

  #reduceRecord(inbound: BoxMessage, placed: DecodedFrame, message: RecordMessage): void {
    const { stats, records } = this.#context;
    const { sequence, epoch, clockMs } = placed.frame;
    // A retained frame was not sent now: it says nothing about the current connection.
    if (!inbound.retained) this.#setPresence(updatedPresence(this.#box, message, inbound.receivedMs));
    this.#dueReceipts.requireReceipt();
    if (isSettled(this.#box.journal, sequence)) {
      stats.count('records.duplicate');
      this.#dueReceipts.nameSequence(sequence);
      return;
    }
    if (message.kind === 'tombstone' && !isPossible(message, sequence)) {
      const range = `${message.first} to ${message.last} by ${sequence}`;
      stats.refuseFrame(inbound, placed, 'impossible-tombstone', range);
      this.#dueReceipts.addUnreadable({ epoch, sequence }, this.#box.journal);
      return;
    }
    const lost = message.kind === 'tombstone' ? lostBy(message, this.#box.journal) : 0;
    const settled = settledBy(message, sequence, this.#box.journal);
    if (settled === undefined) {
      stats.addTrouble('too-many-gaps', inbound.boxId, `sequence ${sequence}`);
      return;
    }
    this.#box = { ...this.#box, journal: settled };
    this.#dueReceipts.nameSequence(sequence);
    this.#checkClaim(inbound.boxId);

    stats.count('records.stored');
    if (lost > 0) stats.count('records.lost', lost);
    records.push({
      record: {
        boxId: inbound.boxId,
        epoch,
        sequence,
        kind: message.kind,
        clockMs,
        receivedMs: inbound.receivedMs,
        lost,
        ...(message.kind === 'tombstone' ? { covers: [message.first, message.last] } : {}),
      },
      draft: this.#reduceContent(placed.frame, message, inbound.receivedMs),
    });
  }

  /** What a record reports of the vehicle, and the resulting message. */
  #reduceContent(frame: Frame, message: RecordMessage, receivedMs: number): MessageDraft | undefined {
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
          this.#context.stats.addTrouble('update-failed', this.#known.vehicle.boxId, detail);
        }
        return this.#reduceEvent(frame, message, receivedMs);
      case 'report':
        return this.#applyReport(
          frame,
          this.#translate(frame, message.signals, receivedMs),
          receivedMs,
          undefined,
        );
      case 'heartbeat':
        return this.#applyReport(frame, {}, receivedMs, undefined);
      case 'reply':
        return this.#reduceReply(frame, message, receivedMs);
      case 'access': {
        const properties = this.#translate(frame, message.signals, receivedMs);
        const draft = this.#applyReport(frame, properties, receivedMs, undefined);
        return draft === undefined ? undefined : { ...draft, tokenId: message.tokenId };
      }
      case 'tombstone':
        return undefined;
      default:
        return message satisfies never;
    }
  }

  /** An event reports the vehicle's state as a report does; after that follows what a feature measured. */
  #reduceEvent(frame: Frame, message: EventMessage, receivedMs: number): MessageDraft | undefined {
    const properties = this.#translate(frame, message.signals, receivedMs);
    const draft = this.#applyReport(frame, properties, receivedMs, undefined);
    const { event, measured } = message;
    const feature = featureEvent(event, measured, recordTimeMs(frame.clockMs, receivedMs));
    return draft === undefined || feature === undefined ? draft : { ...draft, feature };
  }

  /**
   * A reply without signals settles its command but has no data of the vehicle: no message is written. The same holds
   * for a reply to a command of the vehicle in which the box was before.
   */
  #reduceReply(frame: Frame, reply: Reply, receivedMs: number): MessageDraft | undefined {
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
    if (command !== undefined && reply.outcome === 'done') this.#closeConnectionAfter(command, receivedMs);
    if (command?.command === 'begin-setup' && reply.outcome === 'done' && !isOfOther)
      this.#markSetUp(frame.sequence);
    // No client requests a setup: a second one, begun before the reply to the first arrived, is published like a
    // report.
    const asked = command?.command === 'begin-setup' ? undefined : command;
    return state === undefined ? undefined : this.#applyReport(frame, state, receivedMs, asked);
  }

  /**
   * A command that ends the session counts as a going-down, which may be lost or late: a caller that reads the outcome
   * finds the box not ready. A resent reply belongs to a session that ended earlier: the box was ready again after the
   * command had been opened.
   */
  #closeConnectionAfter({ command, openedMs }: OpenCommand, receivedMs: number): void {
    const { life, connection, notReadyUntilMs } = this.#box;
    if (!endsSession(command) || connection?.open !== true || notReadyUntilMs !== undefined) return;
    if (life?.value === 'ONLINE' && life.sinceMs <= openedMs)
      this.#setPresence(updatedPresence(this.#box, goingDownOf(connection.counter), receivedMs));
  }

  /** The box has completed its setup in the vehicle; the store writes it in the commit of this reply. */
  #markSetUp(sequence: number): void {
    if (this.#setupStatus === 'SUCCEEDED') return;
    this.#setupStatus = 'SUCCEEDED';
    this.#box = { ...this.#box, journal: { ...this.#box.journal, setUpAt: sequence } };
  }

  #translate(frame: Frame, signals: Parameters<Translate>[1], receivedMs: number): VehicleState {
    const timestampMs = recordTimeMs(frame.clockMs, receivedMs);
    const { model, maintenance } = this.#known.vehicle;
    return this.#context.translate(model, signals, { timestampMs, maintenance, key: frame });
  }

  /**
   * Merges a report into the vehicle's state and drafts its message; neither if it belongs to another
   * vehicle.
   */
  #applyReport(
    frame: Frame,
    properties: VehicleState,
    receivedMs: number,
    command: OpenCommand | undefined,
  ): MessageDraft | undefined {
    const { id, fleetId, createdMs } = this.#known.vehicle;
    const vehicle = { setupStatus: this.#setupStatus, createdMs };
    if (!belongsToVehicle({ vehicle, journal: this.#box.journal }, frame)) return undefined;
    this.#state = mergeReport(this.#state, properties);
    return { vehicleId: id, fleetId, receivedMs, properties, command };
  }

  #checkClaim(boxId: string): void {
    const { position, unexplained } = checkJournalClaim(this.#box.journal);
    if (unexplained > 0) {
      this.#context.stats.count('records.unexplained', unexplained);
      this.#context.stats.addTrouble('unexplained-gap', boxId, `${unexplained} up to ${position.contiguous}`);
    }
    if (position !== this.#box.journal) this.#box = { ...this.#box, journal: position };
  }

  #setPresence(presence: Presence): void {
    this.#box = withPresence(this.#box, presence);
  }

  /** The vehicle after the messages; the loaded object itself if nothing changed. */
  vehicle(): BoxVehicle {
    const { vehicle } = this.#known;
    if (this.#box === vehicle.box && this.#state === vehicle.state) return vehicle;
    return { ...vehicle, box: this.#box, state: this.#state };
  }

  /** The frames to send to the box once the change is committed. */
  framesDown(): readonly DownlinkFrame[] {
    return this.#dueReceipts.frames(this.#known.vehicle.boxId, this.#box);
  }
}

const goingDownOf = (connection: number): GoingDown => ({
  kind: 'going-down',
  connection,
  reason: 'reset',
  expectedS: 0,
});
