import type { Stream } from './random.ts';
import type { Trace } from './trace.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import { describe, type Packet } from './virtual-packets.ts';

/** The weather on one client's connections. All of them look at the same one, the next connection too. */
export interface Climate {
  /** Undefined: each connection keeps the latency it was born with. */
  latency: Latency | undefined;
  /** Packets are lost, and neither end is told. */
  isHalfOpen: boolean;
  /** Packets wait until it is over. */
  isStalled: boolean;
  /** How many of the next PUBACKs to the client are lost, each together with its connection. */
  pubacksToLose: number;
  /** How many of the next PUBACKs to the client are never sent, while the connection lives on. */
  pubacksToWithhold: number;
}

/** One way. */
export interface Latency {
  readonly delayMs: number;
  /** Up to so much is added, drawn for each packet. */
  readonly jitterMs: number;
}

/** What one end of a wire is told. */
export interface WireEnd {
  receive(packet: Packet): void;
  /** The connection is gone. Called at most once and nothing after it; not where this end left by itself. */
  lost(reason: string): void;
}

export type Side = 'client' | 'broker';

/** What has been sent to one side and has not arrived. */
interface Lane {
  readonly packets: Packet[];
  /** When the latest packet sent is to arrive: TCP does not reorder. */
  lastDueMs: number;
  /** Packets that were due while the wire stalled. */
  heldCount: number;
  /** Raised when packets are lost, so that arrivals scheduled for them mean nothing. */
  generation: number;
}

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

/**
 * A TCP connection between a client and the broker: in order, and nothing lost inside a living connection. Pings are
 * no events of their own, since on an undisturbed wire they change nothing; where the wire is disturbed, the last
 * ping that got through follows from the last packet and the keep-alive period.
 */
export class Wire {
  readonly #options: WireOptions;
  readonly #lanes: Record<Side, Lane> = { client: emptyLane(), broker: emptyLane() };
  readonly #ends = new Map<Side, WireEnd>();
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

  constructor(options: WireOptions) {
    this.#options = options;
    this.#lastArrivalMs = options.loop.nowMs;
  }

  attach(side: Side, end: WireEnd): void {
    this.#ends.set(side, end);
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
    const lane = this.#lanes[to];
    lane.packets.push(packet);
    this.#scheduleArrival(to);
  }

  /** `side` closes its socket: it hears nothing more, and the other side hears of it where the wire carries a FIN. */
  leave(side: Side, reason: string): void {
    if (!this.#ends.delete(side)) return;
    if (this.#ends.size === 0) this.#end();
    else this.send(otherSide(side), { kind: 'FIN', reason });
  }

  /** Severs the wire: both ends know at once. */
  reset(reason: string): void {
    for (const side of SIDES) this.#lose(side, reason);
  }

  /** To be called after `climate` changed. */
  weatherChanged(): void {
    const { climate } = this.#options;
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

  #scheduleArrival(to: Side): void {
    const { loop, stream, climate, latency, clientId } = this.#options;
    const { delayMs, jitterMs } = climate.latency ?? latency;
    const lane = this.#lanes[to];
    const dueMs = loop.nowMs + delayMs + (jitterMs > 0 ? stream.whole(0, jitterMs) : 0);
    lane.lastDueMs = Math.max(lane.lastDueMs, dueMs);
    const { generation } = lane;
    loop.schedule(lane.lastDueMs, `mqtt ${clientId} to ${to}`, () => {
      if (generation !== lane.generation) return;
      if (climate.isStalled) lane.heldCount += 1;
      else this.#arrive(to);
    });
  }

  #arrive(to: Side): void {
    const packet = this.#lanes[to].packets.shift();
    const end = this.#ends.get(to);
    if (packet === undefined || end === undefined) return;
    const { trace, clientId, loop } = this.#options;
    this.#lastArrivalMs = loop.nowMs;
    trace.note({
      who: `link/${clientId}`,
      what: `to-${to}`,
      detail: describe(packet),
      ...(packet.kind === 'PUBLISH' ? { bytes: packet.payload } : {}),
    });
    if (packet.kind === 'FIN') this.#lose(to, packet.reason);
    else end.receive(packet);
  }

  /** Whether the weather takes this PUBACK; losing it means losing the connection, for TCP loses no single packet. */
  #losesPuback(): boolean {
    const { climate, loop, clientId } = this.#options;
    if (climate.pubacksToWithhold > 0) {
      climate.pubacksToWithhold -= 1;
      return true;
    }
    if (climate.pubacksToLose === 0) return false;
    climate.pubacksToLose -= 1;
    this.#loseWhatIsUnderWay();
    loop.schedule(loop.nowMs, `mqtt ${clientId} reset`, () => this.reset('reset by peer'));
    return true;
  }

  #loseWhatIsUnderWay(): void {
    for (const side of SIDES) {
      const lane = this.#lanes[side];
      if (lane.packets.length > 0) this.#isDamaged = true;
      lane.packets.length = 0;
      lane.heldCount = 0;
      lane.generation += 1;
    }
  }

  #releaseHeld(): void {
    for (const side of SIDES) {
      const lane = this.#lanes[side];
      const { heldCount } = lane;
      lane.heldCount = 0;
      for (let count = 0; count < heldCount; count++) this.#scheduleArrival(side);
    }
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
    const end = this.#ends.get(side);
    if (end === undefined) return;
    this.#ends.delete(side);
    end.lost(reason);
    if (this.#ends.size === 0) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelExpiry();
    for (const side of SIDES) this.#lanes[side].generation += 1;
    this.#options.whenOver();
  }
}

function emptyLane(): Lane {
  return { packets: [], lastDueMs: 0, heldCount: 0, generation: 0 };
}

function otherSide(side: Side): Side {
  return side === 'client' ? 'broker' : 'client';
}
