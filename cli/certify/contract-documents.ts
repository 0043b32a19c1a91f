import { makeCounters } from '../../backend/counters.ts';
import { buildBackendApp } from '../../backend/http/backend-app.ts';
import { makeOperator } from '../../backend/operator/operator.ts';
import { openSqliteStore } from '../../backend/store/sqlite/sqlite-store.ts';
import { modelKnowledge } from '../../backend/vehicles/model-knowledge.ts';
import type { RealWorld } from '../../world/real-world.ts';
import type { DocumentNode } from './answer-validator.ts';
import type { MessagesDocument } from './message-validator.ts';

/** The contract as documents: what a service of it answers, and what messages it sends. */
export interface ContractDocuments {
  readonly api: DocumentNode;
  readonly messages: MessagesDocument;
}

const BASE_URL = 'http://service.contract';

/**
 * The documents of the contract, as the service of this project makes them. Its application is put together for that
 * alone, with nothing behind it.
 */
export async function contractDocuments(
  world: Pick<RealWorld, 'time' | 'ids' | 'crypto' | 'log' | 'http'>,
): Promise<ContractDocuments> {
  const store = openSqliteStore(':memory:');
  const counters = makeCounters();
  const nobody = () => Promise.reject(new Error('Nothing stands behind the documents.'));
  const nothing = () => undefined;
  try {
    const app = buildBackendApp({
      ...{ world, store, settings: { baseUrl: BASE_URL } },
      operator: makeOperator({ world, counters }),
      dispatcher: { execute: nobody, settled: nothing, lookAgain: nothing, stop: nothing },
      makerCommands: { execute: nobody },
      connectivity: { act: nobody },
      bulk: { wake: nothing },
      configurator: { apply: nobody },
      models: modelKnowledge,
      subscriptions: {
        accounts: undefined,
        ...{
          subscribe: nobody,
          cancel: nobody,
          find: nobody,
          ofFleet: nobody,
          queues: nobody,
          ensure: nobody,
        },
        ...{ connected: nothing, changedElsewhere: nothing, stop: nothing },
        accountsCondition: () => 'none',
      },
      onboarded: nothing,
    });
    const read = async (path: string): Promise<unknown> => (await app.request(`${BASE_URL}${path}`)).json();
    return {
      api: (await read('/openapi.json')) as DocumentNode,
      messages: (await read('/asyncapi.json')) as MessagesDocument,
    };
  } finally {
    await store.close();
  }
}
