import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import type { DownMessage, Frame, ResetReason } from '../../../protocol/message.ts';
import { wireGeneration } from '../../../simulator/firmware/commands/command-support.ts';
import { newBox } from '../../../simulator/firmware/core/boot.ts';
import type { BoxFacts } from '../../../simulator/firmware/core/box-hardware.ts';
import type { FirmwareEffect } from '../../../simulator/firmware/core/effect.ts';
import type { FirmwareInput } from '../../../simulator/firmware/core/input.ts';
import { nextAlarm } from '../../../simulator/firmware/core/next-alarm.ts';
import type { BoxState } from '../../../simulator/firmware/core/state.ts';
import { step } from '../../../simulator/firmware/core/step.ts';
import type { SensorInputs } from '../../../simulator/vehicle/sensing/vehicle-ports.ts';

export const START_MS = 1_767_592_800_000;

export const BOX_FACTS: BoxFacts = {
  boxId: '0f3a000000000001',
  generation: 2,
  firmware: [2, 30],
  hardwareRevision: 4,
  installation: 'HARDWIRED',
  vehicleCommands: [
    'request-vehicle-state',
    'enable-driving',
    'disable-driving',
    'unlock-central-lock',
    'lock-central-lock',
    'unlock-and-enable-driving',
    'lock-and-disable-driving',
  ],
  journalRecords: 100,
  factorySettings: {},
  rtcDriftPpm: 12,
  rtcOffsetMs: -820_000_000_000,
};

const signals: SensorInputs['signals'] = {
  obd: [{ pid: 0x0d, data: Uint8Array.of(0) }],
  digital: 0x0002,
  power: { supplyMillivolts: 12_600, backupMillivolts: 4_100, backupPercent: 90, backupCharging: false },
};

export const PARKED: SensorInputs = {
  signals,
  signalsAwake: signals,
  ignitionOn: false,
  anyDoorOpen: false,
  locked: true,
  drivingEnabled: false,
  topCaseOpen: false,
  topCaseLocked: true,
  standExtended: false,
  compartmentLocked: true,
  pluggedIn: false,
  charging: false,
  speedKph: 0,
  distanceM: 0,
  headingDegrees: 90,
  acceleration: { longitudinalMg: 0, lateralMg: 0 },
  accelerations: [],
  tiltDegrees: 0,
  smokeUgPerM3: 8,
  fix: { latitude: 52.52, longitude: 13.4 },
  keyPresent: false,
  hasCoverage: true,
  isOutOfReach: false,
  csq: 20,
  networks: [
    { code: 26201, name: 'First' },
    { code: 26202, name: 'Second' },
  ],
  supplyMillivolts: 12_600,
  backupPercent: 90,
  ambientTemperatureC: 15,
};

/** The senses as plain data: a vehicle's are getters, which a spread leaves out. */
export function plainInputs<Some extends Partial<SensorInputs>>(senses: Some): Some {
  const names = (Object.keys(PARKED) as (keyof SensorInputs)[]).filter((name) => name in senses);
  return Object.fromEntries(names.map((name) => [name, senses[name]])) as Some;
}

/** One box without a world: the test is its flash, its link, its vehicle and its backend. */
export class TestBox {
  state: BoxState;
  at = START_MS;
  sensors: SensorInputs = PARKED;
  pages = new Map<string, Uint8Array>();
  /** Effects of all steps, without the writes. */
  effects: FirmwareEffect[] = [];
  /** Publications that the broker has not acknowledged. */
  tokens: number[] = [];
  /** Frames as they left, in order. */
  sent: Frame[] = [];
  #entropy = 1;

  constructor(facts: Partial<BoxFacts> = {}) {
    this.state = newBox({ ...BOX_FACTS, ...facts });
  }

  /** One step; its effects are performed as a host would, as far as they are the flash's and the link's. */
  feed(input: FirmwareInput): readonly FirmwareEffect[] {
    const { state, effects } = step(this.state, this.at, input);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    return effects;
  }

  #perform(effect: FirmwareEffect): void {
    if (effect.kind === 'write') {
      for (const operation of effect.operations) {
        if ('put' in operation) this.pages.set(operation.put, operation.bytes);
        else this.pages.delete(operation.erase);
      }
      return;
    }
    this.effects.push(effect);
    if (effect.kind === 'publish') {
      this.tokens.push(effect.token);
      for (const { frame } of decodePayload(effect.publication.payload).frames) this.sent.push(frame);
    }
    if (effect.kind === 'drop' || effect.kind === 'disconnect' || effect.kind === 'reset') this.tokens = [];
  }

  boot(reason: ResetReason = 'GENERAL'): readonly FirmwareEffect[] {
    this.tokens = [];
    this.#entropy += 7;
    return this.feed({ kind: 'boot', pages: new Map(this.pages), reason, entropy: this.#entropy });
  }

  /** One step with these senses; without any, those of `sensors` remain, and are read only where the firmware looks. */
  tick(senses?: Partial<SensorInputs>): readonly FirmwareEffect[] {
    if (senses !== undefined) this.#sense(senses);
    return this.feed({ kind: 'tick', sensors: this.sensors });
  }

  /** Control units that are awake give the same values unless set otherwise. */
  #sense(senses: Partial<SensorInputs>): void {
    const { signals } = senses;
    const awake = signals === undefined ? {} : { signalsAwake: signals };
    this.sensors = { ...this.sensors, ...awake, ...plainInputs(senses) };
  }

  /** Rings each alarm at its time until `durationMs` have passed. */
  pass(durationMs: number): void {
    const end = this.at + durationMs;
    for (let turns = 0; turns < 100_000; turns++) {
      const due = nextAlarm(this.state);
      if (due === undefined || due > end) break;
      this.at = Math.max(this.at, due);
      this.tick();
    }
    this.at = end;
  }

  /** The same with a broker and a backend that answer at once, at least once a minute. */
  passAnswered(durationMs: number): void {
    const end = this.at + durationMs;
    while (this.at < end) {
      this.pass(Math.min(60_000, end - this.at));
      this.acknowledgeAll();
      this.receiptAll();
    }
  }

  acknowledgeAll(): void {
    for (const token of this.tokens.splice(0)) this.feed({ kind: 'acknowledged', token });
  }

  down(
    message: DownMessage,
    clockMs = this.at,
    epoch = this.state.flash.journal.epoch,
  ): readonly FirmwareEffect[] {
    const generation = wireGeneration(this.state);
    const bytes = encodeFrame({ generation, epoch, boot: 0, sequence: 0, clockMs, message });
    return this.feed({ kind: 'received', bytes, sensors: this.sensors });
  }

  /** Everything of the running epoch up to here is stored. */
  receiptAll(): void {
    this.down({ kind: 'receipt', contiguous: this.state.flash.journal.next - 1, ranges: [] });
  }

  /** From power to a session that takes commands, with nothing left in the journal. */
  ready(senses: Partial<SensorInputs> = {}): this {
    this.#sense(senses);
    this.boot();
    this.pass(5_000);
    this.connect();
    return this;
  }

  /** The broker and the backend answer. */
  connect(): void {
    this.pass(0);
    this.feed({ kind: 'opened' });
    this.feed({ kind: 'subscribed' });
    this.acknowledgeAll();
    this.receiptAll();
    this.acknowledgeAll();
    // The answer to `ready`, made after the one to the hello.
    this.at += 1;
    this.receiptAll();
    this.acknowledgeAll();
    this.sent = [];
    this.effects = [];
  }

  /** A command that has `leftMs` until its expiry. */
  command(command: Extract<DownMessage, { kind: 'command' }>['command'], number = 1, leftMs = 20_000): void {
    this.down({ kind: 'command', requestId: requestId(number), command, expiresMs: this.at + leftMs });
  }

  /** The messages sent since the last call. */
  told(): readonly Frame['message'][] {
    return this.sent.splice(0).map((frame) => frame.message);
  }

  kinds(): readonly string[] {
    return this.effects.splice(0).map((effect) => effect.kind);
  }
}

/** A ULID with that number at its end. */
export function requestId(number: number): string {
  return `01ARZ3NDEKTSV4RRFF${number.toString(10).padStart(8, '0')}`;
}
