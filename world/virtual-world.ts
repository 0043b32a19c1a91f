import { seededRandom } from './seeded-random.ts';
import { type BrokerRule, VirtualBroker } from './virtual-broker.ts';
import { virtualExchange } from './virtual-exchange.ts';
import { VirtualExchangeBroker } from './virtual-exchange-broker.ts';
import { VirtualFlashChips, virtualFlash } from './virtual-flash.ts';
import { VirtualOrigins, virtualHttp } from './virtual-http.ts';
import { Life } from './virtual-life.ts';
import { virtualLink } from './virtual-link.ts';
import { type LogLine, virtualLog } from './virtual-log.ts';
import { DEFAULT_START_MS, VirtualLoop } from './virtual-loop.ts';
import { virtualMint } from './virtual-mint.ts';
import { type NetworkSettings, VirtualNetwork } from './virtual-network.ts';
import { virtualSeal } from './virtual-seal.ts';
import { virtualTime } from './virtual-time.ts';
import { type VirtualTrace, type VirtualTraceSettings, virtualTrace } from './virtual-trace.ts';
import { Weather } from './weather.ts';
import type { World } from './world.ts';

export interface VirtualWorldSettings {
  /** Any safe integer. All chance comes from it. */
  readonly seed: number;
  /** Milliseconds since 1970, above 0. Default: 2026-01-05T06:00:00Z. */
  readonly startMs?: number;
  /** Who may do what at the MQTT broker. Default: everybody everything. */
  readonly rule?: BrokerRule;
  /** How many messages wait for one MQTT session before the newest is dropped. */
  readonly queueBound?: number;
  readonly network?: NetworkSettings;
  readonly trace?: VirtualTraceSettings;
  /** False: messages go nowhere, as with `--amqp none`. */
  readonly hasExchange?: boolean;
}

/** One program's run within the world: the same world through ports that can be severed. */
export interface Incarnation extends World {
  /**
   * As `kill -9`: nothing that it waits for happens any more, no promise settles, no alarm rings, no callback comes,
   * and what it still does changes nothing. The broker misses its connections and publishes their wills.
   */
  sever(): void;
  readonly isSevered: boolean;
}

/** A world in one process: time as a number, chance from a seed, every failure at hand. */
export interface VirtualWorld extends World {
  readonly trace: VirtualTrace;
  readonly loop: VirtualLoop;
  readonly weather: Weather;
  /** The MQTT broker, with its faults. */
  readonly broker: VirtualBroker;
  /** The AMQP broker, with its faults and what lies in its queues. */
  readonly exchangeBroker: VirtualExchangeBroker;
  /** Somebody else's HTTP services. */
  readonly origins: VirtualOrigins;
  /** All flash, with its faults. */
  readonly chips: VirtualFlashChips;
  /** Warnings and errors of all logs, oldest first. */
  readonly complaints: readonly LogLine[];
  incarnation(name: string): Incarnation;
  /** Lets time pass until `body` is settled and hands on its outcome. `withinMs` bounds the virtual time. */
  run<T>(body: () => Promise<T>, options?: { readonly withinMs?: number }): Promise<T>;
  /** Lets `durationMs` pass. */
  pass(durationMs: number): Promise<void>;
  /** Lets time pass until `condition` holds; rejects with `Stuck` where it does not within `withinMs`. */
  until(condition: () => boolean, withinMs?: number): Promise<void>;
  /** The trace's hash: equal for two runs that did the same. */
  hash(): string;
}

/** How long `until` waits: longer than any deadline of the service, shorter than for ever. */
const PATIENCE_MS = 24 * 3_600_000;

/** Opens a world of its own; worlds share nothing. */
export function openVirtualWorld(settings: VirtualWorldSettings): VirtualWorld {
  const random = seededRandom(settings.seed);
  const startMs = settings.startMs ?? DEFAULT_START_MS;
  const { trace, witness } = virtualTrace(() => loop.nowMs, settings.trace);
  const loop = new VirtualLoop(startMs, witness);
  const broker = new VirtualBroker(trace, settings.rule, settings.queueBound);
  const network = new VirtualNetwork(loop, random, trace, broker, settings.network);
  const exchangeBroker = new VirtualExchangeBroker(trace, () => loop.nowMs);
  const origins = new VirtualOrigins();
  const chips = new VirtualFlashChips();
  const complaints: LogLine[] = [];
  // One key for all incarnations: tokens outlive a restart of the program that signed them.
  const seal = virtualSeal(random.stream('seal'));
  const portsOf = (life: Life): World => {
    const time = virtualTime(loop, life);
    const lifeTrace: World['trace'] = {
      note: (event) => {
        if (!life.isSevered) trace.note(event);
      },
    };
    return {
      time,
      random,
      mint: virtualMint(time, random.stream(`mint/${life.name}`)),
      seal,
      flash: virtualFlash(loop, chips, random, life),
      link: virtualLink(loop, network, life),
      exchange:
        settings.hasExchange === false ? undefined : virtualExchange(loop, exchangeBroker, random, life),
      http: virtualHttp(loop, origins, random, life),
      trace: lifeTrace,
      log: virtualLog(lifeTrace, life, complaints),
    };
  };
  const counts = new Map<string, number>();
  return {
    ...portsOf(new Life('world')),
    trace,
    loop,
    weather: new Weather(network, broker, trace),
    broker,
    exchangeBroker,
    origins,
    chips,
    complaints,
    incarnation(name) {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      // Numbered, so that a second incarnation does not mint the ids of the first again.
      const life = new Life(`${name}#${count}`);
      return {
        ...portsOf(life),
        sever() {
          trace.note({ who: life.name, what: 'severed' });
          life.sever();
        },
        get isSevered() {
          return life.isSevered;
        },
      };
    },
    run: (body, options) => loop.runWhile(body(), options),
    pass: (durationMs) => loop.runUntil(loop.nowMs + durationMs),
    until: (condition, withinMs = PATIENCE_MS) => loop.runUntil(condition, { withinMs }),
    hash: () => trace.hash(),
  };
}
