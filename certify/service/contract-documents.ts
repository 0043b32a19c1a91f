import { contractApp } from '../../backend/documents-app.ts';
import type { DocumentNode } from '../../judge/certify/answer-validator.ts';
import type { MessagesDocument } from '../../judge/certify/message-validator.ts';
import type { RealWorld } from '../../world/real-world.ts';

/** The contract as documents: the answers of a service, and its messages. */
export interface ContractDocuments {
  readonly api: DocumentNode;
  readonly messages: MessagesDocument;
}

const BASE_URL = 'http://service.contract';

/** The documents of the contract, as the service of this project generates them. */
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
