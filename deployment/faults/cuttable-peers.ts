import { type AmqpPublisher, AmqpRefused } from '../../world/amqp/amqp-publisher.ts';
import type { AmqpConnectionFaults } from '../../world/amqp/faulty-amqp-publisher.ts';
import { type MqttClient, MqttRefused } from '../../world/mqtt/mqtt-client.ts';

/** Cuts connections to a broker on the client's side. */
export interface Cuttable extends AmqpConnectionFaults {
  /** Connections that were severed or refused here so far. Never decreases. */
  readonly metCount: number;
}

/** Where there are no connections. */
export const NOTHING_TO_CUT: Cuttable = {
  isDown: false,
  metCount: 0,
  setDown: () => undefined,
  cut: () => undefined,
};

/** Open connections of one process to a broker, which can be made unreachable. */
class Connections implements Cuttable {
  isDown = false;
  metCount = 0;
  readonly #drops = new Set<() => void>();

  setDown(isDown: boolean): void {
    this.isDown = isDown;
    if (isDown) this.cut();
  }

  cut(): void {
    this.metCount += this.#drops.size;
    for (const drop of [...this.#drops]) drop();
  }

  /** A connection was requested and refused. */
  refused(): void {
    this.metCount += 1;
  }

  /** The returned function reports its end. */
  opened(drop: () => void): () => void {
    this.#drops.add(drop);
    return () => {
      this.#drops.delete(drop);
    };
  }
}

/** The same client, whose connections can be cut. */
export function cuttableMqtt(mqtt: MqttClient): { readonly mqtt: MqttClient; readonly cuttable: Cuttable } {
  const connections = new Connections();
  const open: MqttClient['open'] = async (options, events) => {
    if (connections.isDown) {
      connections.refused();
      throw new MqttRefused('the broker cannot be reached');
    }
    let forget = (): void => undefined;
    const session = await mqtt.open(options, {
      ...events,
      message: (...parameters) => events.message(...parameters),
      closed: (reason) => {
        forget();
        events.closed(reason);
      },
    });
    if (connections.isDown) {
      session.drop();
      connections.refused();
      throw new MqttRefused('the broker cannot be reached');
    }
    forget = connections.opened(() => session.drop());
    return session;
  };
  return { mqtt: { open }, cuttable: connections };
}

/** The same publisher, whose connections can be cut. */
export function cuttableAmqp(amqp: AmqpPublisher): {
  readonly amqp: AmqpPublisher;
  readonly cuttable: Cuttable;
} {
  const connections = new Connections();
  const open: AmqpPublisher['open'] = async (options, events) => {
    if (connections.isDown) {
      connections.refused();
      throw new AmqpRefused('the broker cannot be reached');
    }
    let forget = (): void => undefined;
    const session = await amqp.open(options, {
      ...events,
      closed: (reason) => {
        forget();
        events.closed(reason);
      },
      blocked: (isBlocked) => events.blocked(isBlocked),
    });
    const close = (): void => void session.close().catch(() => undefined);
    if (connections.isDown) {
      close();
      connections.refused();
      throw new AmqpRefused('the broker cannot be reached');
    }
    forget = connections.opened(close);
    return session;
  };
  return { amqp: { open }, cuttable: connections };
}
