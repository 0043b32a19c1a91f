import { makeCounters } from '../counters.ts';
import { makeOperator } from '../operator/operator.ts';
import { modelKnowledge } from '../vehicles/model-knowledge.ts';
import type { App } from './app.ts';
import { type BackendAppParts, buildBackendApp } from './backend-app.ts';

const nobody = () => Promise.reject(new Error('Nothing stands behind the documents.'));
const nothing = () => undefined;

/** A part of the store of which every call fails. */
const noCalls = new Proxy({}, { get: () => nobody });
/** A store whose every part is of that kind. */
const noStore = new Proxy({}, { get: () => noCalls }) as BackendAppParts['store'];

/**
 * The application of the service put together for its documents alone (`openApiDocument`, GET /asyncapi.json): nothing
 * stands behind it, and a request that needs more is answered with 500.
 */
export function contractApp(world: BackendAppParts['world'], baseUrl: string): App {
  return buildBackendApp({
    ...{ world, store: noStore, settings: { baseUrl } },
    operator: makeOperator({ world: { ...world, http: { call: nobody } }, counters: makeCounters() }),
    dispatcher: { execute: nobody, settled: nothing, lookAgain: nothing, stop: nothing },
    makerCommands: { execute: nobody },
    connectivity: { act: nobody },
    bulk: { wake: nothing },
    configurator: { apply: nobody },
    models: modelKnowledge,
    subscriptions: {
      accounts: undefined,
      ...{ subscribe: nobody, cancel: nobody, find: nobody, ofFleet: nobody, queues: nobody, ensure: nobody },
      ...{ connected: nothing, changedElsewhere: nothing, stop: nothing },
      accountsCondition: () => 'none',
    },
    onboarded: nothing,
  });
}
