import { readInboundMessage } from '../../../backend/ingest/inbound-message.ts';
import { type ReductionInput, reduceBatch } from '../../../backend/ingest/reduce-batch.ts';
import type { BoxVehicle } from '../../../backend/store/port/stored-vehicle.ts';
import { encodeFrame } from '../../../protocol/codec/frame.ts';
import type { FirmwareVersion } from '../../../protocol/firmware.ts';
import { wireGeneration } from '../../../simulator/firmware/commands/command-support.ts';
import { newBox } from '../../../simulator/firmware/core/boot.ts';
import { drawChance } from '../../../simulator/firmware/core/chance.ts';
import type { FirmwareEffect } from '../../../simulator/firmware/core/effect.ts';
import type { FirmwareInput } from '../../../simulator/firmware/core/input.ts';
import type { BoxState } from '../../../simulator/firmware/core/state.ts';
import { step } from '../../../simulator/firmware/core/step.ts';
import { lowestHeld } from '../../../simulator/firmware/journal/journal.ts';
import type { SensorInputs } from '../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { boxVehicle } from '../backend/ingest-input.ts';
import { BOX_FACTS, PARKED, requestId, START_MS } from './test-box.ts';

/** Records of one sort in a row. */
export interface RecordRun {
  readonly sort: 'report' | 'event';
  readonly count: number;
}

/** How often, of 100, something goes wrong with a payload up, a frame down, or in a second of the link. */
export interface LossRates {
  readonly lostUp: number;
  readonly spoiltUp: number;
  readonly lostDown: number;
  readonly cut: number;
}

export const NO_LOSS: LossRates = { lostUp: 0, spoiltUp: 0, lostDown: 0, cut: 0 };

/** The real firmware and the real fold, with a link between them that may do anything. Time is the test's. */
export class FirmwareAndIngest {
  state: BoxState;
  at = START_MS;
  sensors: SensorInputs = { ...PARKED, hasCoverage: false };
  vehicle: BoxVehicle = boxVehicle(
    { boxId: BOX_FACTS.boxId },
    { journal: { epoch: 0, contiguous: 0, ranges: [] } },
  );
  weather: LossRates = NO_LOSS;
  readonly counts = new Map<string, number>();
  /** The most ranges beyond the contiguous part that the backend had at any time. */
  mostRanges = 0;
  /** When the reply to each request was stored. */
  readonly replies = new Map<string, number>();
  #chance: number;
  #effects: FirmwareEffect[] = [];

  constructor(journalRecords: number, seed: number, firmware: FirmwareVersion = BOX_FACTS.firmware) {
    const factorySettings = { 'tracking.enabled': 1, 'tracking.timeIntervalS': 1 } as const;
    this.state = newBox({ ...BOX_FACTS, journalRecords, factorySettings, firmware });
    this.#chance = seed;
    this.#feed({ kind: 'boot', pages: new Map(), reason: 'GENERAL', entropy: 77 });
    this.pass(1);
  }

  #feed(input: FirmwareInput): void {
    const { state, effects } = step(this.state, this.at, input);
    this.state = state;
    this.#effects.push(...effects);
  }

  #tick(change: Partial<SensorInputs> = {}): void {
    this.sensors = { ...this.sensors, ...change };
    this.#feed({ kind: 'tick', sensors: this.sensors });
  }

  #happens(percent: number): boolean {
    if (percent === 0) return false;
    const { fraction, next } = drawChance(this.#chance);
    this.#chance = next;
    return fraction * 100 < percent;
  }

  /** Records come into the journal, one each second; nothing leaves if there is no coverage. */
  record(runs: readonly RecordRun[]): void {
    this.#tick({ ignitionOn: true });
    for (const { sort, count } of runs) {
      for (let one = 0; one < count; one++) {
        if (sort === 'report') this.at += 1_000;
        this.#tick(sort === 'event' ? { anyDoorOpen: !this.sensors.anyDoorOpen } : {});
      }
    }
    this.#tick({ ignitionOn: false });
  }

  /** So many seconds go by; each second the box is ticked and everything on the link is carried. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      this.at += 1_000;
      this.#tick();
      if (this.state.ram.session.phase !== 'down' && this.#happens(this.weather.cut)) {
        this.#effects = [];
        this.#feed({ kind: 'closed' });
      }
      this.#carry();
    }
  }

  /** Everything of now is stored and receipted after so many seconds; undefined: it is not, within the time given. */
  secondsToDrain(mostSeconds: number): number | undefined {
    const last = this.state.flash.journal.next - 1;
    this.#tick({ hasCoverage: true });
    for (let second = 0; second <= mostSeconds; second++) {
      if (this.vehicle.box.journal.contiguous >= last && lowestHeld(this.state.flash.journal) > last)
        return second;
      this.pass(1);
    }
    return undefined;
  }

  /** The backend asks for the state of the vehicle. */
  ask(number: number): void {
    const expiresMs = this.at + 20_000;
    const message = {
      kind: 'command',
      requestId: requestId(number),
      command: 'request-vehicle-state',
      expiresMs,
    } as const;
    this.#down(encodeFrame({ ...this.#header(), message }));
  }

  #header() {
    const generation = wireGeneration(this.state);
    const { epoch } = this.state.flash.journal;
    return { generation, epoch, boot: 0, sequence: 0, clockMs: this.at };
  }

  #down(bytes: Uint8Array): void {
    this.#feed({ kind: 'received', bytes, sensors: this.sensors });
  }

  #carry(): void {
    for (let rounds = 0; this.#effects.length > 0 && rounds < 1_000; rounds++) {
      const effects = this.#effects.splice(0);
      const arrived: Parameters<typeof readInboundMessage>[0][] = [];
      for (const effect of effects) {
        if (effect.kind === 'connect') this.#feed({ kind: 'opened' });
        if (effect.kind === 'subscribe') this.#feed({ kind: 'subscribed' });
        if (effect.kind !== 'publish') continue;
        this.#feed({ kind: 'acknowledged', token: effect.token });
        if (this.#happens(this.weather.lostUp)) continue;
        const { topic, payload } = effect.publication;
        const bytes = payload.slice();
        if (this.#happens(this.weather.spoiltUp)) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 0x55;
        arrived.push({ topic, bytes, retained: false, receivedMs: this.at });
      }
      if (arrived.length > 0) this.#store(arrived);
    }
  }

  #store(arrived: readonly Parameters<typeof readInboundMessage>[0][]): void {
    const knowledge: ReductionInput = {
      known: new Map([[BOX_FACTS.boxId, { vehicle: this.vehicle, version: 1 }]]),
      commands: new Map(),
      translate: () => ({}),
    };
    const plan = reduceBatch(arrived.map(readInboundMessage), knowledge);
    this.vehicle = plan.vehicles.get(BOX_FACTS.boxId) ?? this.vehicle;
    this.mostRanges = Math.max(this.mostRanges, this.vehicle.box.journal.ranges.length);
    for (const { reply } of plan.replies) this.replies.set(reply.requestId, this.at);
    for (const [what, count] of plan.counts) this.counts.set(what, (this.counts.get(what) ?? 0) + count);
    for (const { generation, epoch, message } of plan.framesDown) {
      if (this.#happens(this.weather.lostDown)) continue;
      this.#down(encodeFrame({ ...this.#header(), generation, epoch, message }));
    }
  }
}
