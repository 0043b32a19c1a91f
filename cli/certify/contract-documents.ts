import { contractApp } from '../../backend/http/contract-app.ts';
import type { RealWorld } from '../../world/real-world.ts';
import type { DocumentNode } from './answer-validator.ts';
import type { MessagesDocument } from './message-validator.ts';

/** The contract as documents: what a service of it answers, and what messages it sends. */
export interface ContractDocuments {
  readonly api: DocumentNode;
  readonly messages: MessagesDocument;
}

const BASE_URL = 'http://service.contract';

/** The documents of the contract, as the service of this project makes them. */
export async function contractDocuments(
  world: Pick<RealWorld, 'time' | 'ids' | 'crypto' | 'log'>,
): Promise<ContractDocuments> {
  const app = contractApp(world, BASE_URL);
  const read = async (path: string): Promise<unknown> => (await app.request(`${BASE_URL}${path}`)).json();
  return {
    api: (await read('/openapi.json')) as DocumentNode,
    messages: (await read('/asyncapi.json')) as MessagesDocument,
  };
}
