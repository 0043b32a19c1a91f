import { limits as backendLimits } from '../../../backend/base/limits.ts';
import { outboxLimits } from '../../../backend/store/port/outbox-limits.ts';
import { PARTITIONS } from '../../../protocol/partitions.ts';
import type { Time } from '../../../world/time/time.ts';
import type { VirtualWorld } from '../../../world/virtual-world.ts';
import { testbedLimits } from '../../limits.ts';
import type { VirtualServiceRunner } from './virtual-service-runner.ts';

interface Level {
  readonly name: string;
  most: number;
  readonly bound: number;
}

/** The highest levels of queues and lists, sampled once a minute and at the end. */
export class Levels {
  readonly #world: VirtualWorld;
  readonly #serviceRunner: VirtualServiceRunner;
  readonly #levels: {
    readonly outboxMessages: Level;
    readonly outboxBytes: Level;
    readonly scheduled: Level;
    readonly sessions: Level;
    readonly backlog: Level;
  };

  constructor(world: VirtualWorld, service: VirtualServiceRunner, vehicles: number) {
    this.#world = world;
    this.#serviceRunner = service;
    const level = (name: string, bound: number): Level => ({ name, most: 0, bound });
    this.#levels = {
      outboxMessages: level('messages in the outbox', outboxLimits.messages),
      outboxBytes: level('bytes in the outbox', outboxLimits.bytes),
      scheduled: level(
        'events of the virtual loop',
        testbedLimits.scheduled + vehicles * testbedLimits.scheduledPerVehicle,
      ),
      sessions: level('sessions at the MQTT broker', vehicles + sessionsOf(service.backends)),
      backlog: level('messages that wait for one MQTT session', backendLimits.downlinkFramesInFlight),
    };
  }

  /** Samples now, and then regularly. */
  begin(time: Time): void {
    const look = (): void => {
      this.look().catch(() => undefined);
      time.alarm(time.nowMs() + testbedLimits.levelsMs, look);
    };
    look();
  }

  async look(): Promise<void> {
    const { mqttBroker: broker, loop } = this.#world;
    const { clients, waiting } = broker.load;
    const { outboxMessages, outboxBytes, scheduled, sessions, backlog } = this.#levels;
    raise(scheduled, loop.scheduledCount);
    raise(sessions, clients);
    raise(backlog, waiting);
    const { messages, bytes } = await this.#serviceRunner.store.outbox.size();
    raise(outboxMessages, messages);
    raise(outboxBytes, bytes);
  }

  all(): readonly Level[] {
    return Object.values(this.#levels);
  }
}

function raise(level: Level, to: number): void {
  if (to > level.most) level.most = to;
}

/** Sessions of the service: one for all boxes, or one for each partition, and one of each backend to send. */
function sessionsOf(backends: number): number {
  return backends === 1 ? 1 : PARTITIONS + backends;
}
