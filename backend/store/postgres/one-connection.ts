import { Client, DatabaseError } from 'pg';
import { StoreFailed, StoreTooNew } from '../port/store.ts';
import { type DatabaseAddress, readAddress } from './address.ts';
import { connectionConfig } from './connections.ts';
import { lookAtFirstAnswer } from './first-answer.ts';
import { type PostgresLimits, postgresLimits } from './limits.ts';
import { meaningOf } from './meaning.ts';
import { openSentence } from './open-trouble.ts';

/** A database as options name it. */
export interface DatabasePlace {
  /** `postgres://user:password@host:5432/database`; address.ts says what it may hold. */
  readonly url: string;
  /** Certificates of the authorities that may have signed the server's, as PEM; absent: those that Node knows. */
  readonly authority?: string;
  readonly limits?: PostgresLimits;
}

/** One in PEM. Node takes a text without one for authorities that have signed nothing. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/;

/** The address, read. Throws `StoreFailed` where it, or the authority, is not usable. */
export function addressOf({ url, authority }: DatabasePlace): DatabaseAddress {
  const read = readAddress(url, { hasAuthority: authority !== undefined });
  if ('refusal' in read) throw new StoreFailed(read.refusal);
  if (authority !== undefined && !CERTIFICATE.test(authority)) {
    throw new StoreFailed('The authority of the server holds no certificate. Its form is PEM.');
  }
  return read.address;
}

/**
 * Opens a connection beside those of a store, for what takes longer than a call of one may. Rejects with one line:
 * `StoreFailed` where it cannot be opened.
 */
export async function openOneConnection(place: DatabasePlace): Promise<Client> {
  const address = addressOf(place);
  const { authority, limits = postgresLimits } = place;
  const client = new Client({
    ...connectionConfig(address, authority, limits),
    query_timeout: limits.migrateMs + limits.answerMs,
  });
  // One that breaks tells so twice: to the query, and here.
  client.on('error', () => undefined);
  // With TLS the driver itself looks at the first byte.
  if (address.tls === 'disable') lookAtFirstAnswer(client);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end();
    throw asOpenError(error, address, limits);
  }
}

/**
 * Does some work over a connection of its own, and closes it. Rejects with one line, `StoreFailed` or `StoreTooNew`, where
 * the database cannot be reached or used, and with the driver's error where the work was wrong.
 */
export async function withOneConnection<Result>(
  place: DatabasePlace,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await openOneConnection(place);
  try {
    return await work(client);
  } catch (error) {
    throw asOpenError(error, addressOf(place), place.limits ?? postgresLimits);
  } finally {
    await client.end();
  }
}

function asOpenError(error: unknown, address: DatabaseAddress, limits: PostgresLimits): unknown {
  if (error instanceof StoreTooNew) return error;
  if (error instanceof StoreFailed) return new StoreFailed(`${address.shown}: ${error.message}`);
  // What the database refuses to understand is wrong, whatever it is called with.
  if (error instanceof DatabaseError && meaningOf(error) === 'wrong') return error;
  return new StoreFailed(openSentence(error, address, limits), { cause: error });
}
