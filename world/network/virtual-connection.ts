import type { VirtualLoop } from '../loop/virtual-loop.ts';
import {
  type ConnectionEnd,
  type ConnectionSide,
  describePacket,
  type MqttPacket,
  wireBytes,
} from '../mqtt/virtual-mqtt-packets.ts';
import type { ClientConditions, Direction, Latency, PacketFault } from '../network-faults/conditions.ts';
import type { LateCopies } from '../network-faults/late-copies.ts';
import type { Stream } from '../random/random.ts';
import type { Trace } from '../trace/trace.ts';
import { VirtualDirection } from './virtual-direction.ts';
import { VirtualKeepAlive } from './virtual-keep-alive.ts';

export interface VirtualConnectionOptions {
  readonly loop: VirtualLoop;
  readonly trace: Trace;
  readonly stream: Stream;
  readonly clientId: string;
  readonly conditions: ClientConditions;
  readonly lateCopies: LateCopies<MqttPacket>;
  readonly latency: Latency;
  /** Called once, when both ends have left. */
  readonly whenOver: () => void;
}

const SIDES = ['client', 'broker'] as const;

/**
 * A TCP connection between a client and the broker: in order, and without loss unless a fault of single messages applies.
 */
export class VirtualConnection {
  readonly #options: VirtualConnectionOptions;
  readonly #directions: Record<ConnectionSide, VirtualDirection>;
  readonly #who: string;
  readonly #madeMs: number;
  readonly #ends: Record<ConnectionSide, ConnectionEnd | undefined> = {
    client: undefined,
    broker: undefined,
  };
  readonly #keepAlive: VirtualKeepAlive;
  #isDisturbed: boolean = false;
  #isLosing: boolean = false;
  #isOver: boolean = false;
  /** A packet was lost: the next one that arrives finds a gap, and TCP resets the connection. */
  #isDamaged: boolean = false;
  #cancelReset: () => void = () => undefined;
  /** For connections that end after a number of bytes. */
  #passedBytes = 0;
  /** Increased when packets in flight are lost: a delayed packet of before is then lost too. */
  #losses = 0;

  constructor(options: VirtualConnectionOptions) {
    this.#options = options;
    const { clientId } = options;
    this.#who = `link/${clientId}`;
    this.#directions = {
      client: new VirtualDirection(`mqtt ${clientId} to client`, 'down', () => this.#packetDue('client')),
      broker: new VirtualDirection(`mqtt ${clientId} to broker`, 'up', () => this.#packetDue('broker')),
    };
    this.#madeMs = options.loop.nowMs;
    this.#keepAlive = new VirtualKeepAlive(options.loop, `mqtt ${clientId} keep-alive`, () => this.#giveUp());
    this.#expectReset();
  }

  attach(side: ConnectionSide, end: ConnectionEnd): void {
    this.#ends[side] = end;
  }

  /** From now on either end drops a peer that sends nothing for one and a half times this. 0: never. */
  keepAlive(periodS: number): void {
    this.#keepAlive.periodMs = periodS * 1000;
  }

  /** Sends `packet` to the end at `to`. It is lost without notice if the conditions require it. */
  send(to: ConnectionSide, packet: MqttPacket): void {
    const { conditions } = this.#options;
    conditions.counts.packets += 1;
    if (conditions.isHalfOpen) {
      this.#isDamaged = true;
      return;
    }
    if (this.#directions[to].heldBack !== undefined) {
      this.#passHeldBack(to, packet);
      return;
    }
    const packetFault = packetFaultFor(conditions.packetFaults, this.#way(to), packet);
    if (packetFault !== undefined) this.#applyPacketFault(to, packet, packetFault);
    else {
      this.#enqueue(to, packet);
      if (packet.kind === 'PUBLISH') this.#sendLateCopies(to);
    }
  }

  /**
   * `side` closes its socket and gets no further callbacks; the other side is notified if it receives the
   * FIN.
   */
  leave(side: ConnectionSide, reason: string): void {
    if (this.#ends[side] === undefined) return;
    this.#ends[side] = undefined;
    if (this.#ends[otherSide(side)] === undefined) this.#end();
    else this.send(otherSide(side), { kind: 'FIN', reason });
  }

  /** An end has received nothing for too long. */
  #giveUp(): void {
    this.#options.conditions.counts.packets += 1;
    this.reset('keep-alive timeout');
  }

  /** Severs the connection: both ends are notified immediately. */
  reset(reason: string): void {
    for (const side of SIDES) this.#lose(side, reason);
  }

  /** To be called after `conditions` changed. */
  conditionsChanged(): void {
    const { conditions } = this.#options;
    this.#expectReset();
    if (conditions.limitBytes === Number.POSITIVE_INFINITY) this.#passedBytes = 0;
    for (const side of SIDES) if (this.#directions[side].bandwidth.isStale(conditions)) this.#sendAnew(side);
    if (conditions.isHalfOpen) this.#loseWhatIsUnderWay();
    else if (this.#isLosing && this.#keepAlive.wasPingLost()) {
      this.#isDamaged = true;
      conditions.counts.packets += 1;
    }
    this.#isLosing = conditions.isHalfOpen;
    if (conditions.isHalfOpen || conditions.isStalled) {
      if (!this.#isDisturbed) this.#keepAlive.disturbed();
      this.#isDisturbed = true;
      return;
    }
    this.#isDisturbed = false;
    this.#keepAlive.cancel();
    if (this.#isDamaged) this.reset('reset by peer');
    else this.#releaseHeld();
  }

  #enqueue(to: ConnectionSide, packet: MqttPacket): void {
    const { loop, stream, conditions, latency } = this.#options;
    const { delayMs, jitterMs } = conditions.latency ?? latency;
    const direction = this.#directions[to];
    const departsMs = direction.bandwidth.departsMs(conditions, loop.nowMs, packet);
    const closesMs = packet.kind === 'FIN' ? this.#slowCloseMs() : 0;
    const arrivesMs = departsMs + delayMs + (jitterMs > 0 ? stream.whole(0, jitterMs) : 0);
    direction.lastDueMs = Math.max(direction.lastDueMs, arrivesMs, closesMs);
    const sent = { packet, departsMs, dueMs: direction.lastDueMs };
    direction.packets.push(sent);
    this.#scheduleArrival(to, sent.dueMs);
  }

  #scheduleArrival(to: ConnectionSide, dueMs: number): void {
    const direction = this.#directions[to];
    this.#options.loop.scheduleEvent(dueMs, direction.label, direction, direction.generation);
  }

  #packetDue(to: ConnectionSide): boolean {
    if (!this.#options.conditions.isStalled) return this.#arrive(to);
    this.#directions[to].heldCount += 1;
    this.#options.conditions.counts.packets += 1;
    return false;
  }

  /**
   * The bandwidth has changed: packets that still wait for it are scheduled again, after those on their way.
   */
  #sendAnew(to: ConnectionSide): void {
    const { nowMs } = this.#options.loop;
    const direction = this.#directions[to];
    direction.bandwidth.begin(nowMs);
    const all = direction.packets.all();
    const onTheWay = all.filter(({ departsMs }) => departsMs <= nowMs);
    const waiting = all.slice(onTheWay.length);
    this.#options.conditions.counts.packets += waiting.length;
    if (waiting.length === 0) return;
    direction.generation += 1;
    direction.packets.clear();
    for (const sent of onTheWay) direction.packets.push(sent);
    direction.lastDueMs = onTheWay.at(-1)?.dueMs ?? nowMs;
    for (const { dueMs } of onTheWay.slice(direction.heldCount)) this.#scheduleArrival(to, dueMs);
    for (const { packet } of waiting) this.#enqueue(to, packet);
  }

  /** Returns whether a program may have been notified: packets to the broker reach no program. */
  #arrive(to: ConnectionSide): boolean {
    const packet = this.#directions[to].packets.shift()?.packet;
    const end = this.#ends[to];
    if (packet === undefined || end === undefined) return false;
    const { trace, conditions } = this.#options;
    if (conditions.limitBytes !== Number.POSITIVE_INFINITY) {
      this.#passedBytes += wireBytes(packet);
      if (this.#passedBytes > conditions.limitBytes) {
        conditions.counts.overLimit += 1;
        this.reset('reset by peer');
        return true;
      }
    }
    this.#keepAlive.arrived();
    const who = this.#who;
    const what = to === 'client' ? 'to-client' : 'to-broker';
    const detail = describePacket(packet);
    trace.note(
      packet.kind === 'PUBLISH' ? { who, what, detail, bytes: packet.payload } : { who, what, detail },
    );
    if (packet.kind === 'FIN') this.#lose(to, packet.reason);
    else end.receive(packet);
    return to === 'client';
  }

  #applyPacketFault(to: ConnectionSide, packet: MqttPacket, packetFault: PacketFault): void {
    packetFault.left -= 1;
    const { trace, loop, clientId } = this.#options;
    trace.note({ who: this.#who, what: packetFault.act.kind, detail: describePacket(packet) });
    const { act } = packetFault;
    switch (act.kind) {
      case 'lose':
        return;
      case 'lose-and-cut':
        this.#loseAndReset();
        return;
      case 'delay': {
        const losses = this.#losses;
        loop.schedule(loop.nowMs + act.byMs, `mqtt ${clientId} late to ${to}`, () => {
          if (this.#isOver || losses !== this.#losses) return;
          this.#enqueue(to, packet);
        });
        return;
      }
      case 'double':
        this.#enqueue(to, packet);
        if (act.byMs === undefined || packet.kind !== 'PUBLISH') this.#enqueue(to, packet);
        else {
          const { topic, payload, retain } = packet;
          const copy: MqttPacket = { kind: 'PUBLISH', id: 0, topic, payload, retain };
          loop.schedule(loop.nowMs + act.byMs, `mqtt ${clientId} late copy to ${to}`, () =>
            this.#copyDue(to, copy),
          );
        }
        return;
      case 'reorder': {
        const label = `mqtt ${clientId} not overtaken to ${to}`;
        const cancel = loop.schedule(loop.nowMs + act.withinMs, label, () => this.#releaseHeldBack(to));
        this.#directions[to].heldBack = { packet, overtaken: act.overtaken, cancel };
        return;
      }
      default:
        act satisfies never;
    }
  }

  #way(to: ConnectionSide): Direction {
    return this.#directions[to].bandwidth.direction;
  }

  #copyDue(to: ConnectionSide, copy: MqttPacket): void {
    const { conditions, lateCopies } = this.#options;
    const isOpen = SIDES.every((side) => this.#ends[side] !== undefined) && !conditions.isHalfOpen;
    if (isOpen) this.#enqueue(to, copy);
    else lateCopies.wait(this.#way(to), copy);
  }

  /** What was due when an earlier connection had ended. */
  #sendLateCopies(to: ConnectionSide): void {
    const { lateCopies } = this.#options;
    if (lateCopies.isEmpty || this.#ends[to] === undefined) return;
    for (const copy of lateCopies.take(this.#way(to))) this.#enqueue(to, copy);
  }

  /** Another packet is sent: it overtakes the one that is held back, unless it ends the connection. */
  #passHeldBack(to: ConnectionSide, packet: MqttPacket): void {
    const isOvertaking = packet.kind === 'PUBLISH' || packet.kind === 'PUBACK';
    if (isOvertaking) {
      this.#enqueue(to, packet);
      this.#directions[to].heldBack?.overtaken();
    }
    this.#releaseHeldBack(to);
    if (!isOvertaking) this.#enqueue(to, packet);
  }

  #releaseHeldBack(to: ConnectionSide): void {
    const heldBack = this.#directions[to].takeHeldBack();
    if (heldBack !== undefined && !this.#isOver) this.#enqueue(to, heldBack.packet);
  }

  /** The connection is lost with all packets in flight; both ends are notified immediately. */
  #loseAndReset(): void {
    const { loop, clientId } = this.#options;
    this.#loseWhatIsUnderWay();
    loop.schedule(loop.nowMs, `mqtt ${clientId} reset`, () => this.reset('reset by peer'));
  }

  #loseWhatIsUnderWay(): void {
    this.#losses += 1;
    for (const side of SIDES) {
      const direction = this.#directions[side];
      if (direction.packets.length > 0) this.#isDamaged = true;
      this.#options.conditions.counts.packets += direction.packets.length;
      direction.packets.clear();
      direction.bandwidth.release(this.#options.loop.nowMs);
      direction.heldCount = 0;
      direction.generation += 1;
      direction.takeHeldBack();
    }
  }

  #releaseHeld(): void {
    for (const side of SIDES) {
      const direction = this.#directions[side];
      const held = Math.min(direction.heldCount, direction.packets.length);
      direction.heldCount = 0;
      for (let count = 0; count < held; count += 1) this.#scheduleArrival(side, this.#freshDueMs(direction));
    }
  }

  /** The arrival of a packet that waited: calculated as for one that is sent now. */
  #freshDueMs(direction: VirtualDirection): number {
    const { loop, stream, conditions, latency } = this.#options;
    const { delayMs, jitterMs } = conditions.latency ?? latency;
    const dueMs = loop.nowMs + delayMs + (jitterMs > 0 ? stream.whole(0, jitterMs) : 0);
    direction.lastDueMs = Math.max(direction.lastDueMs, dueMs);
    return direction.lastDueMs;
  }

  /**
   * Until when the other end is not notified that this one has closed; it notices by the keep-alive at the
   * latest.
   */
  #slowCloseMs(): number {
    const { loop, conditions } = this.#options;
    if (conditions.slowCloseMs === 0) return 0;
    conditions.counts.slowCloses += 1;
    return Math.min(loop.nowMs + conditions.slowCloseMs, this.#keepAlive.givesUpMs());
  }

  /** Schedules the reset, if the conditions reset connections at an age. */
  #expectReset(): void {
    const { loop, conditions, clientId } = this.#options;
    this.#cancelReset();
    this.#cancelReset = () => undefined;
    if (conditions.resetAfterMs === Number.POSITIVE_INFINITY) return;
    this.#cancelReset = loop.schedule(
      this.#madeMs + conditions.resetAfterMs,
      `mqtt ${clientId} reset`,
      () => {
        conditions.counts.resets += 1;
        this.reset('reset by peer');
      },
    );
  }

  #lose(side: ConnectionSide, reason: string): void {
    const end = this.#ends[side];
    if (end === undefined) return;
    this.#ends[side] = undefined;
    end.lost(reason);
    if (this.#ends.client === undefined && this.#ends.broker === undefined) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#keepAlive.cancel();
    this.#cancelReset();
    for (const side of SIDES) {
      this.#directions[side].generation += 1;
      this.#directions[side].bandwidth.release(this.#options.loop.nowMs);
      this.#directions[side].takeHeldBack();
    }
    this.#options.whenOver();
  }
}

function otherSide(side: ConnectionSide): ConnectionSide {
  return side === 'client' ? 'broker' : 'client';
}

const NO_PAYLOAD = new Uint8Array(0);

/** The first fault that applies to this packet; only PUBLISH and PUBACK have any. */
function packetFaultFor(
  packetFaults: readonly PacketFault[],
  direction: Direction,
  packet: MqttPacket,
): PacketFault | undefined {
  if (packetFaults.length === 0 || (packet.kind !== 'PUBLISH' && packet.kind !== 'PUBACK')) return undefined;
  const { kind } = packet;
  const { topic, payload } = kind === 'PUBLISH' ? packet : { topic: '', payload: NO_PAYLOAD };
  return packetFaults.find(({ left, matches }) => left > 0 && matches({ direction, kind, topic, payload }));
}
