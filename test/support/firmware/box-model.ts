import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { decodePayload, encodeFrame } from '../../../protocol/codec/frame.ts';
import type { FirmwareVersion } from '../../../protocol/firmware.ts';
import type { Frame, Message, Tombstone } from '../../../protocol/message.ts';
import { wireGeneration } from '../../../simulator/firmware/commands/command-support.ts';
import { newBox } from '../../../simulator/firmware/core/boot.ts';
import type { FirmwareEffect } from '../../../simulator/firmware/core/effect.ts';
import type { FirmwareInput } from '../../../simulator/firmware/core/input.ts';
import { nextAlarm } from '../../../simulator/firmware/core/next-alarm.ts';
import type { BoxState } from '../../../simulator/firmware/core/state.ts';
import { step } from '../../../simulator/firmware/core/step.ts';
import { allEntries } from '../../../simulator/firmware/journal/entry-index.ts';
import { applyReceipt, clearReceipted, lowestHeld } from '../../../simulator/firmware/journal/journal.ts';
import { includesSequence } from '../../../simulator/firmware/journal/ranges.ts';
import { programOf } from '../../../simulator/firmware/update/update.ts';
import { limits } from '../../../simulator/limits.ts';
import type { SensorInputs } from '../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { BOX_COMMAND_NAMES, type BoxMove } from './box-moves.ts';
import { BOX_FACTS, PARKED, requestId, START_MS } from './test-box.ts';

/** Numbers above this are those of tokens, each of which may be used so often. */
const TOKENS_FROM = 100;
const TOKEN_USES = 2;

/** Everything around one box: flash, link, vehicle and backend, and what they have seen of it. */
export class BoxModel {
  state: BoxState;
  at = START_MS;
  sensors: SensorInputs = { ...PARKED, locked: false };
  pages = new Map<string, Uint8Array>();
  link: 'none' | 'asked' | 'open' = 'none';
  tokens: number[] = [];
  helloAt = START_MS;
  powerLoss: { readonly when: 'before' | 'after'; readonly writes: number } | undefined;
  newest: Extract<Message, { kind: 'command' }> | undefined;
  resets = 0;
  /** The bytes of every record that ever left, by sequence. */
  readonly left = new Map<number, string>();
  /** What the backend holds: own sequences, and those that a stored tombstone explains. */
  readonly stored = new Set<number>();
  /** Every record that was ever durable, with its sort. */
  readonly born = new Map<number, string>();
  /** Sequences that a receipt named to the box. */
  readonly receipted = new Set<number>();
  /** The newest durable content of each tombstone. */
  readonly tombstones = new Map<number, Tombstone>();
  readonly expiries = new Map<number, number>();
  readonly acts = new Map<string, number>();

  constructor(capacity: number, isTracking: boolean, firmware: FirmwareVersion) {
    this.state = newBox({
      ...BOX_FACTS,
      firmware,
      journalRecords: capacity,
      factorySettings: isTracking ? { 'tracking.enabled': 1, 'tracking.timeIntervalS': 5 } : {},
    });
    this.boot();
  }

  boot(): void {
    this.link = 'none';
    this.tokens = [];
    this.resets += 1;
    this.feed({ kind: 'boot', pages: new Map(this.pages), reason: 'UNKNOWN', entropy: 77 + this.resets });
  }

  feed(input: FirmwareInput): void {
    const before = structuredClone({ state: this.state, input });
    const { state, effects } = step(this.state, this.at, input);
    const again = step(before.state, this.at, before.input);
    // vitest's comparison takes ten times as long, and is for the message.
    if (!isDeepStrictEqual(again, { state, effects })) expect(again).toEqual({ state, effects });
    const [first] = effects;
    if (first?.kind === 'write' && this.losesPower()) {
      if (this.powerLoss?.when === 'after') {
        this.write(first);
        this.look(state);
      }
      this.powerLoss = undefined;
      this.boot();
      return;
    }
    if (first?.kind === 'write') this.write(first);
    this.state = state;
    this.look(state);
    for (const effect of effects) this.perform(effect);
  }

  /** Counts the writes until power is lost. */
  losesPower(): boolean {
    if (this.powerLoss === undefined) return false;
    if (this.powerLoss.writes === 0) return true;
    this.powerLoss = { ...this.powerLoss, writes: this.powerLoss.writes - 1 };
    return false;
  }

  write(effect: Extract<FirmwareEffect, { kind: 'write' }>): void {
    for (const operation of effect.operations) {
      if ('put' in operation) this.pages.set(operation.put, operation.bytes);
      else this.pages.delete(operation.erase);
    }
  }

  /** Keeps what has become durable. */
  look(state: BoxState): void {
    for (const entry of allEntries(state.flash.journal.entryIndex)) {
      this.born.set(entry.sequence, entry.entryClass);
      if (entry.entryClass !== 'tombstone') continue;
      const message = messageOf(entry.bytes);
      if (message?.kind === 'tombstone') this.tombstones.set(entry.sequence, message);
    }
  }

  perform(effect: FirmwareEffect): void {
    switch (effect.kind) {
      case 'connect':
        this.link = 'asked';
        this.tokens = [];
        return;
      case 'publish':
        this.tokens.push(effect.token);
        for (const { frame } of decodePayload(effect.publication.payload).frames) this.leave(frame);
        return;
      case 'disconnect':
      case 'drop':
        this.link = 'none';
        this.tokens = [];
        return;
      case 'actuate': {
        const id = this.state.flash.intent?.requestId ?? '';
        this.acts.set(id, (this.acts.get(id) ?? 0) + 1);
        const expiresMs = this.expiries.get(Number(id.slice(-8))) ?? 0;
        expect(this.at, 'acted after its expiry').toBeLessThanOrEqual(expiresMs);
        for (const { set, to } of effect.actuations) this.sensors = { ...this.sensors, [set]: to };
        this.feed({ kind: 'actuated', accepted: true, sensors: this.sensors });
        return;
      }
      case 'immobilize':
        this.sensors = { ...this.sensors, drivingEnabled: false };
        this.feed({ kind: 'immobilized', accepted: true, sensors: this.sensors });
        return;
      case 'reset':
        this.at += effect.downMs;
        this.boot();
        return;
      case 'write':
      case 'subscribe':
      case 'answer-phone':
        return;
      default:
        effect satisfies never;
    }
  }

  leave(frame: Frame): void {
    if (frame.message.kind === 'hello') {
      expect(frame.message.lowestHeld).toBe(lowestHeld(this.state.flash.journal));
      expect(frame.message.nextSequence).toBe(this.state.flash.journal.next);
    }
    if (frame.sequence === 0) return;
    const content = JSON.stringify(frame, (_key, value: unknown) =>
      value instanceof Uint8Array ? [...value] : value,
    );
    const before = this.left.get(frame.sequence);
    if (before !== undefined) expect(content, 'a sequence was used again').toBe(before);
    this.left.set(frame.sequence, content);
  }

  tick(): void {
    this.feed({ kind: 'tick', sensors: this.sensors });
  }

  move(move: BoxMove): void {
    switch (move.do) {
      case 'pass': {
        const end = this.at + move.ms;
        for (let turns = 0; turns < 200; turns++) {
          const due = nextAlarm(this.state);
          if (due === undefined || due > end) break;
          this.at = Math.max(this.at, due);
          this.tick();
        }
        this.at = Math.max(this.at, end);
        return;
      }
      case 'sense':
        this.sensors = { ...this.sensors, ...move.change };
        this.tick();
        return;
      case 'answer-link':
        if (this.link !== 'asked') return;
        this.link = 'open';
        this.feed({ kind: 'opened' });
        this.helloAt = this.at;
        this.feed({ kind: 'subscribed' });
        return;
      case 'serve':
        for (let tries = 0; tries < 4 && this.link === 'none'; tries++) this.move({ do: 'pass', ms: 20_000 });
        this.move({ do: 'answer-link' });
        this.receipt(200);
        this.move({ do: 'acknowledge', share: 8 });
        this.move({ do: 'store', bits: move.bits });
        this.receipt(0);
        return;
      case 'close':
        if (this.link === 'none') return;
        this.link = 'none';
        this.tokens = [];
        this.feed({ kind: 'closed' });
        return;
      case 'acknowledge':
        for (const token of this.tokens.splice(0, move.share)) this.feed({ kind: 'acknowledged', token });
        return;
      case 'store':
        for (const sequence of this.left.keys()) {
          if (((move.bits >>> (sequence % 32)) & 1) === 1) this.store(sequence);
        }
        return;
      case 'receipt':
        this.receipt(move.lateMs);
        return;
      case 'unreadable': {
        const unstored = [...this.left.keys()].filter((sequence) => !this.stored.has(sequence));
        const sequence = unstored[move.which % Math.max(1, unstored.length)];
        if (sequence === undefined || this.link !== 'open') return;
        for (let time = 0; time < move.times; time++) {
          this.down({ kind: 'unreadable', sequences: [sequence] }, this.at);
        }
        return;
      }
      case 'command': {
        const expiresMs = this.expiries.get(move.number) ?? this.at + move.leftMs;
        this.expiries.set(move.number, expiresMs);
        const command =
          BOX_COMMAND_NAMES[(move.name + move.number) % BOX_COMMAND_NAMES.length] ?? 'enable-driving';
        const id = requestId(move.number);
        this.newest = { kind: 'command', requestId: id, command, expiresMs };
        this.down(this.newest, this.at);
        return;
      }
      case 'repeat':
        if (this.newest !== undefined) this.down(this.newest, this.at);
        return;
      case 'phone': {
        const number = TOKENS_FROM + move.number;
        const expiresMs = this.expiries.get(number) ?? this.at + move.leftMs;
        this.expiries.set(number, expiresMs);
        const token = {
          id: requestId(number),
          boxId: BOX_FACTS.boxId,
          allows: [move.action],
          uses: TOKEN_USES,
          expiresMs,
        };
        const presented = { token, isGenuine: true };
        const { sensors } = this;
        this.feed({ kind: 'phone', call: number, action: move.action, presented, leftMs: 10_000, sensors });
        return;
      }
      case 'garbage':
        this.feed({ kind: 'received', bytes: move.bytes, sensors: this.sensors });
        return;
      case 'reset':
        this.feed({ kind: 'reset', reason: 'USER' });
        return;
      case 'update':
        this.feed({ kind: 'update', offer: move.offer });
        this.tick();
        return;
      case 'power-loss':
        this.powerLoss = move;
        return;
      default:
        move satisfies never;
    }
  }

  store(sequence: number): void {
    this.stored.add(sequence);
    const message = messageOfText(this.left.get(sequence));
    if (message?.kind !== 'tombstone') return;
    for (let one = message.first; one <= message.last; one++) this.stored.add(one);
  }

  /** What the backend stored, with its clock of up to `lateMs` ago, yet not before the hello. */
  receipt(lateMs: number): void {
    if (this.link !== 'open') return;
    let contiguous = 0;
    while (this.stored.has(contiguous + 1)) contiguous += 1;
    const ranges = [...this.stored]
      .filter((sequence) => sequence > contiguous)
      .sort((one, other) => one - other)
      .slice(0, 32)
      .map((sequence) => [sequence, sequence] as const);
    for (let one = 1; one <= contiguous; one++) this.receipted.add(one);
    for (const [one] of ranges) this.receipted.add(one);
    this.down({ kind: 'receipt', contiguous, ranges }, Math.max(this.helloAt, this.at - lateMs));
  }

  down(message: Extract<Message, { kind: 'receipt' | 'unreadable' | 'command' }>, clockMs: number): void {
    const { epoch } = this.state.flash.journal;
    const generation = wireGeneration(this.state);
    const bytes = encodeFrame({ generation, epoch, boot: 0, sequence: 0, clockMs, message });
    this.feed({ kind: 'received', bytes, sensors: this.sensors });
  }

  check(): void {
    const { journal } = this.state.flash;
    const held = new Set(allEntries(journal.entryIndex).map((entry) => entry.sequence));
    const explained = new Set<number>();
    const [unexplained, gaps]: [string[], number[]] = [[], []];
    const counts = { reports: 0, events: 0, replies: 0 };
    for (const [sequence, message] of this.tombstones) {
      // One that another has taken the place of says nothing any more.
      if (!held.has(sequence) && !this.receipted.has(sequence)) continue;
      counts.reports += message.reports;
      counts.events += message.events;
      counts.replies += message.replies;
      for (let one = message.first; one <= message.last; one++) explained.add(one);
    }
    const given = { report: 0, event: 0, reply: 0, tombstone: 0 } as Record<string, number>;
    for (const [sequence, sort] of this.born) {
      if (sequence >= journal.next) unexplained.push(`${sequence} is not below ${journal.next}`);
      if (held.has(sequence) || this.receipted.has(sequence)) continue;
      if (!explained.has(sequence)) unexplained.push(`${sequence} left without a tombstone`);
      given[sort] = (given[sort] ?? 0) + 1;
    }
    // A record may be given up and yet have been stored: then the receipt of later names it too.
    expect(counts.reports).toBeGreaterThanOrEqual(given['report'] ?? 0);
    expect(counts.events).toBeGreaterThanOrEqual(given['event'] ?? 0);
    expect(counts.replies).toBeGreaterThanOrEqual(given['reply'] ?? 0);
    for (let one = 1; one < journal.next; one++)
      if (!held.has(one) && !this.receipted.has(one) && !explained.has(one)) gaps.push(one);
    // Once for all of them: an expect for each takes most of the time of the test.
    const covered = [...explained].filter((one) => held.has(one));
    expect({ covered, unexplained, gaps }).toEqual({ covered: [], unexplained: [], gaps: [] });
    const { update } = this.state.flash;
    const { firmware, power } = this.state.ram;
    const isOnTrial = update?.phase === 'trial' && power === 'booting';
    const inForce = isOnTrial ? update.offer.version : programOf(this.state).version;
    if (power !== 'off' && power !== 'dead')
      expect(firmware, 'a program that nobody put in force').toEqual(inForce);
    for (const [id, count] of this.acts) {
      const most = Number(id.slice(-8)) > TOKENS_FROM ? TOKEN_USES : 1;
      expect(count, `acts of ${id}`).toBeLessThanOrEqual(most);
    }
    const { outbox } = this.state.ram;
    const { sent = [] } = outbox;
    const awaiting = allEntries(journal.entryIndex).filter((entry) => includesSequence(sent, entry.sequence));
    expect(outbox.awaiting).toBe(awaiting.length);
    expect(outbox.awaitingUrgent).toBe(
      awaiting.filter((entry) => entry.entryClass === 'event' || entry.entryClass === 'reply').length,
    );
    const records = allEntries(journal.entryIndex).filter((entry) => entry.entryClass !== 'tombstone');
    expect(records.length).toBeLessThanOrEqual(journal.capacity);
    expect(held.size).toBeLessThanOrEqual(journal.capacity + limits.journalTombstones);
  }

  /**
   * What a boot makes of the pages is what the box has in mind, beside what a receipt has named since it last wrote.
   */
  checkFlash(): void {
    const booted = step(newBox(this.state.facts), this.at, {
      kind: 'boot',
      pages: this.pages,
      reason: 'UNKNOWN',
      entropy: 5,
    }).state.flash;
    const { flash } = this.state;
    expect(booted.journal.epoch).toBe(flash.journal.epoch);
    expect(booted.answered.map((one) => one.requestId)).toEqual(
      expect.arrayContaining(flash.answered.map((one) => one.requestId)),
    );
    expect(programOf({ facts: this.state.facts, flash: booted })).toEqual(programOf(this.state));
    expect(booted.update?.offer).toEqual(flash.update?.offer);
    expect(booted.configuration).toEqual(flash.configuration);
    expect(booted.clock).toEqual(flash.clock);
    expect(booted.bluetooth).toEqual(flash.bluetooth);
    if (flash.intent !== undefined) return;
    // What was receipted since the last write is there still, and nothing else: the backend has it.
    const { receipted, entryIndex } = flash.journal;
    for (const sequence of receipted) expect(this.stored, 'let go of, and not stored').toContain(sequence);
    const pages = [...receipted, ...allEntries(entryIndex).map(({ sequence }) => sequence)];
    const held = allEntries(booted.journal.entryIndex).map(({ sequence }) => sequence);
    expect(held).toEqual(pages.sort((one, other) => one - other));
    const ranges = receipted.map((sequence) => [sequence, sequence] as const);
    const { journal } = clearReceipted(applyReceipt(booted.journal, 0, ranges).journal);
    expect(journal).toEqual({ ...flash.journal, openTombstones: [], receipted: [] });
    expect(booted.counters).toEqual({ ...flash.counters, boot: (flash.counters.boot + 1) & 0xffff });
  }
}

function messageOf(bytes: Uint8Array): Message | undefined {
  return decodePayload(bytes).frames[0]?.frame.message;
}

function messageOfText(content: string | undefined): Message | undefined {
  return content === undefined ? undefined : (JSON.parse(content) as Frame).message;
}
