import type { Climate, Latency, Pick } from './climate.ts';
import type { Stream } from './random.ts';
import type { Trace } from './trace.ts';
import { Lane } from './virtual-lane.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import { describe, type Packet, wireBytes } from './virtual-packets.ts';

/** What one end of a wire is told. */
export interface WireEnd {
  receive(packet: Packet): void;
  /** The connection is gone. Called at most once and nothing after it; not where this end left by itself. */
  lost(reason: string): void;
}

export type Side = 'client' | 'broker';

export interface WireOptions {
  readonly loop: VirtualLoop;
  readonly trace: Trace;
  readonly stream: Stream;
  readonly clientId: string;
  readonly climate: Climate;
  readonly latency: Latency;
  /** Called once, when both ends are gone. */
  readonly whenOver: () => void;
}

/** MQTT 3.1.1 section 3.1.2.10: a server drops a client that is silent for one and a half keep-alive periods. */
const KEEP_ALIVE_GRACE = 1.5;

const SIDES = ['client', 'broker'] as const;

const NO_PAYLOAD = new Uint8Array(0);

/**
 * A TCP connection between a client and the broker: in order, and nothing lost inside a living connection. Pings are
 * no events of their own, since on an undisturbed wire they change nothing; where the wire is disturbed, the last
 * ping that got through follows from the last packet and the keep-alive period.
 */
export class Wire {
  readonly #options: WireOptions;
  readonly #lanes: Record<Side, Lane>;
  readonly #who: string;
  readonly #madeMs: number;
  readonly #ends: Record<Side, WireEnd | undefined> = { client: undefined, broker: undefined };
  #keepAliveMs = 0;
  /** The last packet that arrived at either end; any packet is a sign of life. */
  #lastArrivalMs: number;
  #isDisturbed: boolean = false;
  #disturbedSinceMs = 0;
  #isLosing: boolean = false;
  #isOver: boolean = false;
  /** Something was lost: the next that gets through finds that the two ends disagree, and TCP resets. */
  #isDamaged: boolean = false;
  #cancelExpiry: () => void = () => undefined;
  #cancelReset: () => void = () => undefined;
  /** Of a connection that ends by how much has passed on it. */
  #passedBytes = 0;
  /** How often what was under way was lost: a late packet of before is lost too. */
  #losses = 0;

  constructor(options: WireOptions) {
    this.#options = options;
    const { clientId } = options;
    this.#who = `link/${clientId}`;
    this.#lanes = {
      client: new Lane(`mqtt ${clientId} to client`, 'down', () => this.#due('client')),
      broker: new Lane(`mqtt ${clientId} to broker`, 'up', () => this.#due('broker')),
    };
    this.#madeMs = options.loop.nowMs;
    this.#lastArrivalMs = options.loop.nowMs;
    this.#expectReset();
  }

  attach(side: Side, end: WireEnd): void {
    this.#ends[side] = end;
  }

  /** From now on either end gives up a peer that is silent for one and a half times this. 0: never. */
  keepAlive(periodS: number): void {
    this.#keepAliveMs = periodS * 1000;
  }

  /** Sends `packet` to the end at `to`; lost without a word where the weather has it so. */
  send(to: Side, packet: Packet): void {
    const { climate } = this.#options;
    if (climate.isHalfOpen) {
      this.#isDamaged = true;
      return;
    }
    if (to === 'client' && packet.kind === 'PUBACK' && this.#losesPuback()) return;
    const pick = this.#pickOf(to, packet);
    if (pick === undefined) this.#enqueue(to, packet);
    else this.#pickOut(to, packet, pick);
  }

  /** `side` closes its socket: it hears nothing more, and the other side hears of it where the wire carries a FIN. */
  leave(side: Side, reason: string): void {
    if (this.#ends[side] === undefined) return;
    this.#ends[side] = undefined;
    if (this.#ends[otherSide(side)] === undefined) this.#end();
    else this.send(otherSide(side), { kind: 'FIN', reason });
  }

  /** Severs the wire: both ends know at once. */
  reset(reason: string): void {
    for (const side of SIDES) this.#lose(side, reason);
  }

  /** To be called after `climate` changed. */
  weatherChanged(): void {
    const { climate } = this.#options;
    this.#expectReset();
    if (climate.limitBytes === Number.POSITIVE_INFINITY) this.#passedBytes = 0;
    for (const side of SIDES) if (this.#lanes[side].pace.isStale(climate)) this.#sendAnew(side);
    if (climate.isHalfOpen) this.#loseWhatIsUnderWay();
    else if (this.#isLosing && this.#wasPingLost()) this.#isDamaged = true;
    this.#isLosing = climate.isHalfOpen;
    if (climate.isHalfOpen || climate.isStalled) {
      if (!this.#isDisturbed) this.#expectExpiry();
      this.#isDisturbed = true;
      return;
    }
    this.#isDisturbed = false;
    this.#cancelExpiry();
    if (this.#isDamaged) this.reset('reset by peer');
    else this.#releaseHeld();
  }

  #enqueue(to: Side, packet: Packet): void {
    const { loop, stream, climate, latency } = this.#options;
    const { delayMs, jitterMs } = climate.latency ?? latency;
    const lane = this.#lanes[to];
    const departsMs = lane.pace.departsMs(climate, loop.nowMs, packet);
    const closesMs = packet.kind === 'FIN' ? this.#slowCloseMs() : 0;
    const arrivesMs = departsMs + delayMs + (jitterMs > 0 ? stream.whole(0, jitterMs) : 0);
    lane.lastDueMs = Math.max(lane.lastDueMs, arrivesMs, closesMs);
    const sent = { packet, departsMs, dueMs: lane.lastDueMs };
    lane.packets.push(sent);
    this.#scheduleArrival(to, sent.dueMs);
  }

  #scheduleArrival(to: Side, dueMs: number): void {
    const lane = this.#lanes[to];
    this.#options.loop.plan(dueMs, lane.label, lane, lane.generation);
  }

  #due(to: Side): boolean {
    if (!this.#options.climate.isStalled) return this.#arrive(to);
    this.#lanes[to].heldCount += 1;
    return false;
  }

  /** Another pace: what is not on its way yet begins anew, behind what is. */
  #sendAnew(to: Side): void {
    const { nowMs } = this.#options.loop;
    const lane = this.#lanes[to];
    lane.pace.begin();
    const all = lane.packets.all();
    const onTheWay = all.filter(({ departsMs }) => departsMs <= nowMs);
    const waiting = all.slice(onTheWay.length);
    if (waiting.length === 0) return;
    lane.generation += 1;
    lane.packets.clear();
    for (const sent of onTheWay) lane.packets.push(sent);
    lane.lastDueMs = onTheWay.at(-1)?.dueMs ?? nowMs;
    for (const { dueMs } of onTheWay.slice(lane.heldCount)) this.#scheduleArrival(to, dueMs);
    for (const { packet } of waiting) this.#enqueue(to, packet);
  }

  /** Returns whether a program may have heard of it: what the broker is told stays with the broker. */
  #arrive(to: Side): boolean {
    const packet = this.#lanes[to].packets.shift()?.packet;
    const end = this.#ends[to];
    if (packet === undefined || end === undefined) return false;
    const { trace, loop, climate } = this.#options;
    if (climate.limitBytes !== Number.POSITIVE_INFINITY) {
      this.#passedBytes += wireBytes(packet);
      if (this.#passedBytes > climate.limitBytes) {
        this.reset('reset by peer');
        return true;
      }
    }
    this.#lastArrivalMs = loop.nowMs;
    const who = this.#who;
    const what = to === 'client' ? 'to-client' : 'to-broker';
    const detail = describe(packet);
    trace.note(
      packet.kind === 'PUBLISH' ? { who, what, detail, bytes: packet.payload } : { who, what, detail },
    );
    if (packet.kind === 'FIN') this.#lose(to, packet.reason);
    else end.receive(packet);
    return to === 'client';
  }

  /** The first pick that this packet is for. */
  #pickOf(to: Side, packet: Packet): Pick | undefined {
    const { picks } = this.#options.climate;
    if (picks.length === 0 || (packet.kind !== 'PUBLISH' && packet.kind !== 'PUBACK')) return undefined;
    const { topic, payload } = packet.kind === 'PUBLISH' ? packet : { topic: '', payload: NO_PAYLOAD };
    const direction = this.#lanes[to].pace.direction;
    return picks.find(
      (pick) => pick.left > 0 && pick.matches({ direction, kind: packet.kind, topic, payload }),
    );
  }

  #pickOut(to: Side, packet: Packet, pick: Pick): void {
    pick.left -= 1;
    const { trace, loop, clientId } = this.#options;
    trace.note({ who: this.#who, what: pick.act.kind, detail: describe(packet) });
    if (pick.act.kind === 'lose-and-cut') this.#loseAndReset();
    if (pick.act.kind !== 'delay') return;
    const losses = this.#losses;
    loop.schedule(loop.nowMs + pick.act.byMs, `mqtt ${clientId} late to ${to}`, () => {
      if (this.#isOver || losses !== this.#losses) return;
      this.#enqueue(to, packet);
    });
  }

  /** Whether the weather takes this PUBACK; losing it means losing the connection, for TCP loses no single packet. */
  #losesPuback(): boolean {
    const { climate } = this.#options;
    if (climate.pubacksToWithhold > 0) {
      climate.pubacksToWithhold -= 1;
      return true;
    }
    if (climate.pubacksToLose === 0) return false;
    climate.pubacksToLose -= 1;
    this.#loseAndReset();
    return true;
  }

  /** The connection dies with what is under way; both ends know at once. */
  #loseAndReset(): void {
    const { loop, clientId } = this.#options;
    this.#loseWhatIsUnderWay();
    loop.schedule(loop.nowMs, `mqtt ${clientId} reset`, () => this.reset('reset by peer'));
  }

  #loseWhatIsUnderWay(): void {
    this.#losses += 1;
    for (const side of SIDES) {
      const lane = this.#lanes[side];
      if (lane.packets.length > 0) this.#isDamaged = true;
      lane.packets.clear();
      lane.heldCount = 0;
      lane.generation += 1;
    }
  }

  #releaseHeld(): void {
    for (const side of SIDES) {
      const lane = this.#lanes[side];
      const held = Math.min(lane.heldCount, lane.packets.length);
      lane.heldCount = 0;
      for (let count = 0; count < held; count += 1) this.#scheduleArrival(side, this.#freshDueMs(lane));
    }
  }

  /** When what has waited arrives: as if it were sent now. */
  #freshDueMs(lane: Lane): number {
    const { loop, stream, climate, latency } = this.#options;
    const { delayMs, jitterMs } = climate.latency ?? latency;
    const dueMs = loop.nowMs + delayMs + (jitterMs > 0 ? stream.whole(0, jitterMs) : 0);
    lane.lastDueMs = Math.max(lane.lastDueMs, dueMs);
    return lane.lastDueMs;
  }

  /** Until when the other end is not told that this one has closed; it misses the keep-alive at the latest. */
  #slowCloseMs(): number {
    const { loop, climate } = this.#options;
    if (climate.slowCloseMs === 0) return 0;
    const toldMs = loop.nowMs + climate.slowCloseMs;
    if (this.#keepAliveMs === 0) return toldMs;
    return Math.min(toldMs, this.#lastPingMs(loop.nowMs) + this.#keepAliveMs * KEEP_ALIVE_GRACE);
  }

  /** Where the weather resets connections at an age, that is when this one has it. */
  #expectReset(): void {
    const { loop, climate, clientId } = this.#options;
    this.#cancelReset();
    this.#cancelReset = () => undefined;
    if (climate.resetAfterMs === Number.POSITIVE_INFINITY) return;
    this.#cancelReset = loop.schedule(this.#madeMs + climate.resetAfterMs, `mqtt ${clientId} reset`, () =>
      this.reset('reset by peer'),
    );
  }

  /** When the last sign of life passed: the last packet, or a ping a whole number of keep-alive periods after it. */
  #lastPingMs(atMs: number): number {
    const silentMs = atMs - this.#lastArrivalMs;
    return this.#lastArrivalMs + Math.floor(silentMs / this.#keepAliveMs) * this.#keepAliveMs;
  }

  /** Nothing arrives while packets are lost, so a ping was lost where one was due since the last sign of life. */
  #wasPingLost(): boolean {
    if (this.#keepAliveMs === 0) return false;
    return this.#lastPingMs(this.#disturbedSinceMs) + this.#keepAliveMs <= this.#options.loop.nowMs;
  }

  #expectExpiry(): void {
    const { loop, clientId } = this.#options;
    this.#disturbedSinceMs = loop.nowMs;
    if (this.#keepAliveMs === 0) return;
    const dueMs = this.#lastPingMs(loop.nowMs) + this.#keepAliveMs * KEEP_ALIVE_GRACE;
    this.#cancelExpiry = loop.schedule(dueMs, `mqtt ${clientId} keep-alive`, () =>
      this.reset('keep-alive timeout'),
    );
  }

  #lose(side: Side, reason: string): void {
    const end = this.#ends[side];
    if (end === undefined) return;
    this.#ends[side] = undefined;
    end.lost(reason);
    if (this.#ends.client === undefined && this.#ends.broker === undefined) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelExpiry();
    this.#cancelReset();
    for (const side of SIDES) this.#lanes[side].generation += 1;
    this.#options.whenOver();
  }
}

function otherSide(side: Side): Side {
  return side === 'client' ? 'broker' : 'client';
}
