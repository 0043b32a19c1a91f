import { VirtualAmqpBroker } from './amqp/virtual-amqp-broker.ts';
import { virtualAmqpPublisher } from './amqp/virtual-amqp-publisher.ts';
import { virtualCrypto } from './crypto/virtual-crypto.ts';
import { VirtualFlashImages, virtualFlash } from './flash/virtual-flash.ts';
import { VirtualHttpOrigins, virtualHttp } from './http/virtual-http.ts';
import { virtualIds } from './ids/virtual-ids.ts';
import { type LogLine, virtualLog } from './log/virtual-log.ts';
import { DEFAULT_START_MS, VirtualLoop } from './loop/virtual-loop.ts';
import { ProcessScope } from './loop/virtual-process-scope.ts';
import { type MqttAccessRules, VirtualMqttBroker } from './mqtt/virtual-mqtt-broker.ts';
import { virtualMqttClient } from './mqtt/virtual-mqtt-client.ts';
import { type NetworkSettings, VirtualNetwork } from './network/virtual-network.ts';
import { VirtualNetworkFaults } from './network/virtual-network-faults.ts';
import type { NetworkFaults } from './network-faults/network-faults.ts';
import { seededRandom } from './random/seeded-random.ts';
import { virtualTime } from './time/virtual-time.ts';
import { type VirtualTrace, type VirtualTraceSettings, virtualTrace } from './trace/virtual-trace.ts';
import type { World } from './world.ts';

export interface VirtualWorldSettings {
  /** Any safe integer. All chance follows from it. */
  readonly seed: number;
  /** Milliseconds since 1970, above 0. Default: 2026-01-05T06:00:00Z. */
  readonly startMs?: number;
  /** Authorization at the MQTT broker. Default: everything is allowed. */
  readonly mqttAccess?: MqttAccessRules;
  /** The highest number of queued messages of an MQTT session; beyond it the newest is dropped. */
  readonly mqttQueueBound?: number;
  readonly network?: NetworkSettings;
  readonly trace?: VirtualTraceSettings;
  /** False: no AMQP broker, as with `--amqp none`. */
  readonly hasAmqp?: boolean;
}

/** One run of a program in the world: the same ports, which `kill` can cut off. */
export interface ProcessInstance extends World {
  /**
   * As `kill -9`: nothing that the program waits for happens: no promise settles, no alarm fires, no callback
   * is called. Calls that it still makes have no effect. The broker detects the lost connections and
   * publishes their wills.
   */
  kill(): void;
  readonly isKilled: boolean;
}

/** A world in one process: time is a number, chance comes from a seed, and faults can be set. */
export interface VirtualWorld extends World {
  readonly trace: VirtualTrace;
  readonly loop: VirtualLoop;
  readonly networkFaults: NetworkFaults;
  /** The MQTT broker, with its faults. */
  readonly mqttBroker: VirtualMqttBroker;
  /** The AMQP broker, with its faults and queues. */
  readonly amqpBroker: VirtualAmqpBroker;
  /** External HTTP services. */
  readonly origins: VirtualHttpOrigins;
  /** The flash of all owners, with its faults. */
  readonly flashImages: VirtualFlashImages;
  /** Warnings and errors of all logs, oldest first. */
  readonly warnings: readonly LogLine[];
  instance(name: string): ProcessInstance;
  /**
   * Lets time pass until `body` is settled, and returns or throws its outcome. `withinMs` bounds the virtual
   * time.
   */
  run<T>(body: () => Promise<T>, options?: { readonly withinMs?: number }): Promise<T>;
  /** Lets `durationMs` pass. */
  runFor(durationMs: number): Promise<void>;
  /** Lets time pass until `condition` holds; rejects with `Stuck` if it does not within `withinMs`. */
  runUntil(condition: () => boolean, withinMs?: number): Promise<void>;
  /** The trace's hash: equal for two runs that did the same. */
  hash(): string;
}

/** How long `runUntil` waits by default: longer than any deadline of the service. */
const DEFAULT_WAIT_MS = 24 * 3_600_000;

/** Opens a new world; worlds share nothing. */
export function openVirtualWorld(settings: VirtualWorldSettings): VirtualWorld {
  const random = seededRandom(settings.seed);
  const startMs = settings.startMs ?? DEFAULT_START_MS;
  const { trace, observer } = virtualTrace(() => loop.nowMs, settings.trace);
  const loop = new VirtualLoop(startMs, observer);
  const broker = new VirtualMqttBroker(trace, settings.mqttAccess, settings.mqttQueueBound);
  const network = new VirtualNetwork(loop, random, trace, broker, settings.network);
  const amqpBroker = new VirtualAmqpBroker(trace, () => loop.nowMs);
  const origins = new VirtualHttpOrigins();
  const flashImages = new VirtualFlashImages();
  const warnings: LogLine[] = [];
  // One key for all instances: tokens outlive a restart of the program that signed them.
  const crypto = virtualCrypto(random.stream('seal'));
  const portsOf = (scope: ProcessScope): World => {
    const time = virtualTime(loop, scope);
    const scopedTrace: World['trace'] = {
      note: (event) => {
        if (!scope.isKilled) trace.note(event);
      },
    };
    return {
      time,
      // The virtual clock is never set.
      steadyTime: time,
      random,
      ids: virtualIds(time, random.stream(`mint/${scope.name}`)),
      crypto,
      flash: virtualFlash(loop, flashImages, random, scope),
      mqtt: virtualMqttClient(loop, network, scope),
      amqp: settings.hasAmqp === false ? undefined : virtualAmqpPublisher(loop, amqpBroker, random, scope),
      http: virtualHttp(loop, origins, random, scope),
      trace: scopedTrace,
      log: virtualLog(scopedTrace, scope, warnings),
    };
  };
  const counts = new Map<string, number>();
  return {
    ...portsOf(new ProcessScope('world')),
    trace,
    loop,
    networkFaults: new VirtualNetworkFaults(network, broker, trace),
    mqttBroker: broker,
    amqpBroker,
    origins,
    flashImages,
    warnings,
    instance(name) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      // Numbered, so that a later instance does not make the same ids again.
      const scope = new ProcessScope(`${name}#${count}`);
      return {
        ...portsOf(scope),
        kill() {
          trace.note({ who: scope.name, what: 'severed' });
          scope.kill();
        },
        get isKilled() {
          return scope.isKilled;
        },
      };
    },
    run: (body, options) => loop.runWhile(body(), options),
    runFor: (durationMs) => loop.runUntil(loop.nowMs + durationMs),
    runUntil: (condition, withinMs = DEFAULT_WAIT_MS) => loop.runUntil(condition, { withinMs }),
    hash: () => trace.hash(),
  };
}
