import type { World } from '../world/world.ts';
import { makeDesk } from './commands/desk.ts';
import { makeCounters } from './counters.ts';
import { startCourier } from './events/courier.ts';
import { buildBackendApp } from './http/backend-app.ts';
import { startIngest } from './ingest/ingest.ts';
import { severableStore } from './store/severable.ts';
import type { Store } from './store/store.ts';
import { modelKnowledge } from './vehicles/capabilities.ts';
import { translateNamed } from './vehicles/translate.ts';

/** Everything that the backend can be told from outside. */
export interface ServiceSettings {
  /** `http://127.0.0.1:8080`, without a slash at the end; the issuer of tokens too. */
  readonly baseUrl: string;
  readonly mqtt: { readonly clientId: string; readonly username: string; readonly password: string };
  /** How long a box may stay silent on a command, in milliseconds. */
  readonly answerTimeoutMs: number;
  /**
   * The MQTT broker has just begun without sessions or retained frames (the embedded one): the connections that the
   * store knows as open ended without their wills, and are not known until their boxes say hello.
   */
  readonly brokerIsNew?: boolean;
  /** The queues that are declared and bound at start: `VehicleState_v1-demo` for a fleet. */
  readonly queues: readonly { readonly name: string; readonly fleetId: string }[];
}

export type ServiceWorld = Pick<
  World,
  'time' | 'random' | 'mint' | 'seal' | 'link' | 'exchange' | 'trace' | 'log'
>;

export interface Service {
  /** Answers one HTTP request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Resolves once intake is connected to the broker; messages go out as soon as the exchange can be reached. */
  started: Promise<void>;
  /**
   * Answers everybody who waits for a command and lets no further command begin; all else goes on. For whoever serves
   * `fetch`: called before it stops serving, no answer is cut off. `stop` does it too.
   */
  release(): void;
  /** Takes nothing more, settles what it holds, closes its sessions. The store stays open: it is the caller's. */
  stop(): Promise<void>;
  /** Cuts it off at once as kill -9 would: nothing that it still had in mind acts afterwards. */
  sever(): void;
  /** What happened how often since the start, by name. */
  counters(): Readonly<Record<string, number>>;
}

/** Builds the backend from its parts and starts it. The only place that knows them all. */
export function startService(world: ServiceWorld, store: Store, settings: ServiceSettings): Service {
  const counters = makeCounters();
  const gate = severableStore(store);
  const { exchange } = world;
  const courier =
    exchange === undefined
      ? undefined
      : startCourier({
          world,
          exchange,
          outbox: gate.store.outbox,
          queues: settings.queues,
          counters,
        });
  const ingest = startIngest({
    world,
    store: gate.store.ingest,
    account: settings.mqtt,
    translate: translateNamed,
    hasExchange: exchange !== undefined,
    counters,
    brokerIsNew: settings.brokerIsNew === true,
    settled: (requestIds) => desk.settled(requestIds),
    written: () => courier?.wake(),
  });
  const desk = makeDesk({
    world,
    store: gate.store.commands,
    answerTimeoutMs: settings.answerTimeoutMs,
    send: ingest.send,
  });
  const app = buildBackendApp({ world, store: gate.store, settings, desk, models: modelKnowledge });
  let isSevered = false;

  return {
    fetch: async (request) => {
      const response = await app.fetch(request);
      // Nobody hears from a process that is gone.
      return isSevered ? new Promise<Response>(() => undefined) : response;
    },
    started: ingest.started,
    release: () => desk.stop(),
    async stop() {
      desk.stop();
      await ingest.stop();
      await courier?.stop();
    },
    sever() {
      isSevered = true;
      gate.sever();
      ingest.sever();
      courier?.sever();
    },
    counters: () => counters.read(),
  };
}
