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
  /** `postgres://user:password@host:5432/database`; its form is in address.ts. */
  readonly url: string;
  /** Certificates of the authorities that may have signed the server's, as PEM; absent: those that Node knows. */
  readonly authority?: string;
  readonly limits?: PostgresLimits;
}

/** One in PEM. Node treats a text without one as an empty list of authorities. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/;

/** The address, read. Throws `StoreFailed` if it, or the authority, is not usable. */
export function addressOf({ url, authority }: DatabasePlace): DatabaseAddress {
  const read = readAddress(url, { hasAuthority: authority !== undefined });
  if ('refusal' in read) throw new StoreFailed(read.refusal);
  if (authority !== undefined && !CERTIFICATE.test(authority)) {
    throw new StoreFailed('The authority of the server holds no certificate. Its form is PEM.');
  }
  return read.address;
}

/**
 * Opens a connection in addition to those of a store, for work that exceeds the time-out of a call. Rejects with one
 * line: `StoreFailed` if it cannot be opened.
 */
export async function openOneConnection(place: DatabasePlace): Promise<Client> {
  const address = addressOf(place);
  const { authority, limits = postgresLimits } = place;
  const client = new Client({
    ...connectionConfig(address, authority, limits),
    query_timeout: limits.migrateMs + limits.answerMs,
  });
  // A break is reported twice: to the query, and here.
  client.on('error', () => undefined);
  // With TLS the driver itself checks the first byte.
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
 * Does some work over a connection of its own, and closes it. Rejects with one line, `StoreFailed` or `StoreTooNew`, if
 * the database cannot be reached or used, and with the driver's error if the work was wrong.
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
  // What the database rejects as malformed is wrong, whatever the cause.
  if (error instanceof DatabaseError && meaningOf(error) === 'wrong') return error;
  return new StoreFailed(openSentence(error, address, limits), { cause: error });
}
