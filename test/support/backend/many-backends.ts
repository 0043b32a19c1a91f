import { registerClient } from '../../../backend/access/clients.ts';
import { type Service, startService } from '../../../backend/service.ts';
import type { ServiceSettings } from '../../../backend/settings.ts';
import { delayedStore } from '../../../backend/store/delayed-store.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import { openSqliteStore, type SqliteStore } from '../../../backend/store/sqlite/store.ts';
import type { MqttClient } from '../../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../../world/time/time.ts';
import { openVirtualWorld, type ProcessInstance, type VirtualWorld } from '../../../world/virtual-world.ts';

export const BASE_URL = 'http://127.0.0.1:8080';
export const ANSWER_TIMEOUT_MS = 20_000;

/** One of several backends on one store. */
export interface OneBackend {
  readonly instance: ProcessInstance;
  /** As this backend sees it. */
  readonly store: Store;
  readonly service: Service;
  /** One request with a token; virtual time passes until it is answered. */
  ask(method: string, path: string, token: string): Promise<Response>;
  crash(): void;
  /** Sets the clock of its machine that far ahead, while it runs. */
  setClock(offMs: number): void;
}

/** A virtual world with one store, and backends on it. */
export interface ManyBackends {
  readonly world: VirtualWorld;
  readonly store: SqliteStore;
  /**
   * `isDeaf`: no frame of a box reaches it, as where another backend serves the box. `clockOffMs`: how far the clock of its
   * machine is ahead.
   */
  start(
    name: string,
    options?: {
      readonly isDeaf?: boolean;
      readonly clockOffMs?: number;
      readonly settings?: Partial<ServiceSettings>;
    },
  ): Promise<OneBackend>;
  /** A token that every backend takes, which `backend` has given. */
  token(backend: OneBackend, permissions?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export function openManyBackends(seed = 1): ManyBackends {
  const world = openVirtualWorld({ seed });
  const store = openSqliteStore(':memory:', { nowMs: () => world.time.nowMs() });
  const running = new Set<OneBackend>();

  const fetchIn = (service: Service, request: Request): Promise<Response> =>
    world.run(() => service.fetch(request));

  return {
    world,
    store,
    async start(name, { isDeaf = false, clockOffMs = 0, settings = {} } = {}) {
      const instance = world.instance(name);
      const delayed = delayedStore(store, instance.time, world.random.stream(`store/${name}`));
      const clock = { offMs: clockOffMs };
      const service = startService(
        {
          ...instance,
          time: offTime(instance.time, () => clock.offMs),
          steadyTime: offTime(instance.time, () => clockOffMs),
          mqtt: isDeaf ? deaf(instance.mqtt) : instance.mqtt,
        },
        delayed.store,
        {
          baseUrl: BASE_URL,
          mqtt: { clientId: name, username: 'backend', password: 'secret' },
          answerTimeoutMs: ANSWER_TIMEOUT_MS,
          queues: [],
          ...settings,
        },
      );
      const backend: OneBackend = {
        instance,
        store: delayed.store,
        service,
        ask: (method, path, token) =>
          fetchIn(
            service,
            new Request(`${BASE_URL}${path}`, { method, headers: { authorization: `Bearer ${token}` } }),
          ),
        crash() {
          delayed.crash();
          instance.kill();
          service.sever();
          running.delete(backend);
        },
        setClock(offMs) {
          clock.offMs = offMs;
        },
      };
      running.add(backend);
      await world.run(() => service.started);
      return backend;
    },
    async token({ service }, permissions = ['vehicles', 'vehicle-commands']) {
      await store.access.saveFleet({ id: 'FLEET1', name: 'One' });
      const client = await world.run(() =>
        registerClient(store.access, world, { fleetId: 'FLEET1', permissions }),
      );
      const answer = await fetchIn(
        service,
        new Request(`${BASE_URL}/auth/oauth/token?grant_type=client_credentials`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}` },
        }),
      );
      const body: unknown = await answer.json();
      if (typeof body !== 'object' || body === null || !('access_token' in body)) throw new Error('no token');
      return String(body.access_token);
    },
    async close() {
      for (const backend of [...running]) backend.crash();
      await store.close();
    },
  };
}

/** The same time, as a clock shows it that is so far ahead at the moment. */
function offTime(time: Time, offMs: () => number): Time {
  return {
    nowMs: () => time.nowMs() + offMs(),
    alarm: (dueMs, wake) => time.alarm(dueMs - offMs(), wake),
  };
}

/** The same client, whose subscriptions lead to nothing. */
function deaf(mqtt: MqttClient): MqttClient {
  return {
    async open(options, events) {
      const session = await mqtt.open(options, events);
      return {
        present: session.present,
        publish: (message) => session.publish(message),
        subscribe: () => Promise.resolve(),
        end: () => session.end(),
        drop: () => session.drop(),
      };
    },
  };
}
