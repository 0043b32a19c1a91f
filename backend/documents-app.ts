import { type BackendAppParts, buildBackendApp } from './backend-app.ts';
import { makeCounters } from './base/counters.ts';
import type { App } from './http/app.ts';
import { modelKnowledge } from './model-knowledge.ts';
import { makeOperator } from './monitoring/operator.ts';

const nobody = () => Promise.reject(new Error('This application serves documents only.'));
const nothing = () => undefined;

/** A part of the store in which every call fails. */
const noCalls = new Proxy({}, { get: () => nobody });
/** A store in which every call fails. */
const noStore = new Proxy({}, { get: () => noCalls }) as BackendAppParts['store'];

/**
 * The service's application for its documents only (`openApiDocument`, GET /asyncapi.json): it has no backend, and
 * answers 500 to a request that needs one.
 */
export function contractApp(world: BackendAppParts['world'], baseUrl: string): App {
  return buildBackendApp({
    world,
    store: noStore,
    settings: { baseUrl },
    operator: makeOperator({ world: { ...world, http: { call: nobody } }, counters: makeCounters() }),
    dispatcher: { execute: nobody, settled: nothing, recheck: nothing, stop: nothing },
    makerCommands: { execute: nobody },
    connectivity: { act: nobody },
    bulk: { wake: nothing },
    configurator: { apply: nobody },
    models: modelKnowledge,
    subscriptions: {
      accounts: undefined,
      subscribe: nobody,
      cancel: nobody,
      find: nobody,
      ofFleet: nobody,
      queues: nobody,
      ensure: nobody,
      connected: nothing,
      changedElsewhere: nothing,
      stop: nothing,
      accountsCondition: () => 'none',
    },
    onboarded: nothing,
  });
}
