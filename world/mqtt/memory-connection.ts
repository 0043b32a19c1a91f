import type { MemoryTurns } from './memory-turns.ts';
import type { BrokerConnection } from './virtual-mqtt-broker.ts';
import type { ConnectionEnd, ConnectionSide, MqttPacket } from './virtual-mqtt-packets.ts';

/** A connection of a client to a broker in the same process: in order, without loss. */
export class MemoryConnection implements BrokerConnection {
  readonly #turns: MemoryTurns;
  #client: ConnectionEnd | undefined;
  #broker: ConnectionEnd | undefined;

  constructor(turns: MemoryTurns) {
    this.#turns = turns;
  }

  attach(side: ConnectionSide, end: ConnectionEnd | undefined): void {
    if (side === 'client') this.#client = end;
    else this.#broker = end;
  }

  /** Does nothing: neither end ever stops sending. */
  keepAlive(): void {}

  send(to: ConnectionSide, packet: MqttPacket): void {
    this.#turns.add(() => {
      if (packet.kind === 'FIN') this.#lose(to, packet.reason);
      else this.#end(to)?.receive(packet);
    });
  }

  leave(side: ConnectionSide, reason: string): void {
    if (this.#end(side) === undefined) return;
    this.attach(side, undefined);
    this.send(side === 'client' ? 'broker' : 'client', { kind: 'FIN', reason });
  }

  reset(reason: string): void {
    this.#lose('client', reason);
    this.#lose('broker', reason);
  }

  #end(side: ConnectionSide): ConnectionEnd | undefined {
    return side === 'client' ? this.#client : this.#broker;
  }

  #lose(side: ConnectionSide, reason: string): void {
    const end = this.#end(side);
    this.attach(side, undefined);
    end?.lost(reason);
  }
}
