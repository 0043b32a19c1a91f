import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePayload, encodeFrame } from '../../protocol/frame.ts';
import type { Frame, Message, Tombstone } from '../../protocol/message.ts';
import { nextAlarm } from '../../simulator/firmware/alarm.ts';
import { newBox } from '../../simulator/firmware/boot.ts';
import type { Effect } from '../../simulator/firmware/effect.ts';
import type { Input } from '../../simulator/firmware/input.ts';
import { lowestHeld } from '../../simulator/firmware/journal.ts';
import { entriesOf } from '../../simulator/firmware/shelf.ts';
import type { BoxState } from '../../simulator/firmware/state.ts';
import { step } from '../../simulator/firmware/step.ts';
import type { Senses } from '../../simulator/vehicle/senses.ts';
import { parked, requestId, START_MS, someFacts } from '../unit/simulator/firmware/rig.ts';

/**
 * A box against a model of everything around it: flash that tears, a link that comes and goes, a backend that stores
 * any part of what was sent and says so late, commands in any number of copies. After each move the promises of the
 * journal and of the commands are checked against what the model saw.
 */
type Move =
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'sense'; readonly change: Partial<Senses> }
  | { readonly do: 'answer-link' }
  /** Waits until the box asks for a connection, and gives it one up to the receipt that answers its hello. */
  | { readonly do: 'serve'; readonly bits: number }
  | { readonly do: 'close' }
  | { readonly do: 'acknowledge'; readonly share: number }
  | { readonly do: 'store'; readonly bits: number }
  | { readonly do: 'receipt'; readonly lateMs: number }
  | { readonly do: 'unreadable'; readonly which: number; readonly times: number }
  | { readonly do: 'command'; readonly number: number; readonly name: number; readonly leftMs: number }
  | { readonly do: 'garbage'; readonly bytes: Uint8Array }
  | { readonly do: 'reset' }
  /** Power is lost while the next move writes: before the write is in force, or right after it. */
  | { readonly do: 'power-loss'; readonly when: 'before' | 'after' };

const NAMES = [
  'unlock-central-lock',
  'enable-driving',
  'request-vehicle-state',
  'board-reset',
  'modem-reset',
] as const;

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sense' as const),
      change: fc.oneof(
        fc.record({ ignitionOn: fc.boolean() }),
        fc.record({ anyDoorOpen: fc.boolean() }),
        fc.record({ locked: fc.boolean() }),
        fc.record({ hasCoverage: fc.boolean() }),
        fc.record({ headingDegrees: fc.integer({ min: 0, max: 359 }), speedKph: fc.constantFrom(0, 40) }),
        fc.record({ supplyMillivolts: fc.constantFrom(5_000, 12_600, 12_600, 12_600) }),
        fc.constant({ supplyMillivolts: 12_600, hasCoverage: true }),
      ),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'answer-link' } as const) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('serve' as const), bits: fc.nat({ max: 0xffff_ffff }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'close' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('acknowledge' as const), share: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('store' as const), bits: fc.nat({ max: 0xffff_ffff }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('receipt' as const), lateMs: fc.integer({ min: 0, max: 3_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('unreadable' as const),
      which: fc.nat({ max: 20 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },

  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('garbage' as const), bytes: fc.uint8Array({ maxLength: 80 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('power-loss' as const),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
);

class Model {
  state: BoxState;
  at = START_MS;
  senses: Senses = { ...parked, locked: false };
  pages = new Map<string, Uint8Array>();
  link: 'none' | 'asked' | 'open' = 'none';
  tokens: number[] = [];
  helloAt = START_MS;
  powerLoss: 'before' | 'after' | undefined;
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

  constructor(capacity: number, isTracking: boolean) {
    this.state = newBox({
      ...someFacts,
      journalRecords: capacity,
      factorySettings: isTracking ? { 'tracking.enabled': 1, 'tracking.timeIntervalS': 5 } : {},
    });
    this.boot();
  }

  boot(): void {
    this.link = 'none';
    this.tokens = [];
    this.resets += 1;
    const pages = new Map(this.pages);
    this.feed({ kind: 'boot', pages, reason: 'UNKNOWN', entropy: 77 + this.resets });
  }

  feed(input: Input): void {
    const before = structuredClone({ state: this.state, input });
    const { state, effects } = step(this.state, this.at, input);
    const again = step(before.state, this.at, before.input);
    expect(again).toEqual({ state, effects });
    const [first] = effects;
    if (first?.kind === 'write' && this.powerLoss !== undefined) {
      const when = this.powerLoss;
      this.powerLoss = undefined;
      if (when === 'after') {
        this.write(first);
        this.look(state);
      }
      this.boot();
      return;
    }
    if (first?.kind === 'write') this.write(first);
    this.state = state;
    this.look(state);
    for (const effect of effects) this.perform(effect);
  }

  write(effect: Extract<Effect, { kind: 'write' }>): void {
    for (const operation of effect.operations) {
      if ('put' in operation) this.pages.set(operation.put, operation.bytes);
      else this.pages.delete(operation.erase);
    }
  }

  /** Keeps what has become durable. */
  look(state: BoxState): void {
    for (const entry of entriesOf(state.flash.journal.shelf)) {
      this.born.set(entry.sequence, entry.sort);
      if (entry.sort !== 'tombstone') continue;
      const message = messageOf(entry.bytes);
      if (message?.kind === 'tombstone') this.tombstones.set(entry.sequence, message);
    }
  }

  perform(effect: Effect): void {
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
        for (const { set, to } of effect.actuations) this.senses = { ...this.senses, [set]: to };
        this.feed({ kind: 'actuated', accepted: true, senses: this.senses });
        return;
      }
      case 'reset':
        this.at += effect.downMs;
        this.boot();
        return;
      case 'write':
      case 'subscribe':
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
    this.feed({ kind: 'tick', senses: this.senses });
  }

  move(move: Move): void {
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
        this.senses = { ...this.senses, ...move.change };
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
        const command = NAMES[(move.name + move.number) % NAMES.length] ?? 'enable-driving';
        const id = requestId(move.number);
        this.down({ kind: 'command', requestId: id, command, expiresMs }, this.at);
        return;
      }
      case 'garbage':
        this.feed({ kind: 'received', bytes: move.bytes, senses: this.senses });
        return;
      case 'reset':
        this.feed({ kind: 'reset', reason: 'USER' });
        return;
      case 'power-loss':
        this.powerLoss = move.when;
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
    const bytes = encodeFrame({ generation: 2, epoch, boot: 0, sequence: 0, clockMs, message });
    this.feed({ kind: 'received', bytes, senses: this.senses });
  }

  check(): void {
    const { journal } = this.state.flash;
    const held = new Set(entriesOf(journal.shelf).map((entry) => entry.sequence));
    const explained = new Set<number>();
    const counts = { reports: 0, events: 0, replies: 0 };
    for (const message of this.tombstones.values()) {
      counts.reports += message.reports;
      counts.events += message.events;
      counts.replies += message.replies;
      for (let one = message.first; one <= message.last; one++) {
        explained.add(one);
        expect(held.has(one), 'a tombstone lies over a record that is held').toBe(false);
      }
    }
    const given = { report: 0, event: 0, reply: 0, tombstone: 0 } as Record<string, number>;
    for (const [sequence, sort] of this.born) {
      expect(sequence).toBeLessThan(journal.next);
      if (held.has(sequence) || this.receipted.has(sequence)) continue;
      expect(explained.has(sequence), `record ${sequence} left without a word`).toBe(true);
      given[sort] = (given[sort] ?? 0) + 1;
    }
    // A record may be given up and yet have been stored: then the receipt of later names it too.
    expect(counts.reports).toBeGreaterThanOrEqual(given['report'] ?? 0);
    expect(counts.events).toBeGreaterThanOrEqual(given['event'] ?? 0);
    expect(counts.replies).toBeGreaterThanOrEqual(given['reply'] ?? 0);
    expect(given['tombstone']).toBe(0);
    for (let one = 1; one < journal.next; one++) {
      expect(held.has(one) || this.receipted.has(one) || explained.has(one), `gap at ${one}`).toBe(true);
    }
    for (const [id, count] of this.acts) expect(count, `acts of ${id}`).toBe(1);
    const { outbox } = this.state.ram;
    const awaiting = entriesOf(journal.shelf).filter((entry) => {
      const isUrgent = entry.sort === 'event' || entry.sort === 'reply';
      return entry.sequence < (isUrgent ? outbox.urgentFrom : outbox.bulkFrom);
    });
    expect(outbox.awaiting).toBe(awaiting.length);
    const records = entriesOf(journal.shelf).filter((entry) => entry.sort !== 'tombstone');
    expect(records.length).toBeLessThanOrEqual(journal.capacity);
  }

  /** What a boot makes of the pages is what the box has in mind. */
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
    expect(booted.configuration).toEqual(flash.configuration);
    expect(booted.clock).toEqual(flash.clock);
    if (flash.intent !== undefined) return;
    expect(booted.journal).toEqual({ ...flash.journal, open: [] });
    expect(booted.counters).toEqual({ ...flash.counters, boot: (flash.counters.boot + 1) & 0xffff });
  }
}

function messageOf(bytes: Uint8Array): Message | undefined {
  return decodePayload(bytes).frames[0]?.frame.message;
}

function messageOfText(content: string | undefined): Message | undefined {
  return content === undefined ? undefined : (JSON.parse(content) as Frame).message;
}

describe('a box in any weather', () => {
  test('loses no record without a word, uses no sequence twice, and acts at most once and never late', () => {
    fc.assert(
      fc.property(
        fc.array(anyMove, { minLength: 5, maxLength: 120, size: 'max' }),
        fc.integer({ min: 2, max: 12 }),
        fc.boolean(),
        (moves, capacity, isTracking) => {
          const model = new Model(capacity, isTracking);
          for (const move of moves) {
            model.move(move);
            model.check();
          }
          model.checkFlash();
        },
      ),
      { numRuns: 150 },
    );
  }, 120_000);
});
