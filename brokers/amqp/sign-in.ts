import { AmqpReader, textOf } from './codec/fields.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Reads the response of each mechanism; undefined where it has not the mechanism's form. */
const READERS: Readonly<Record<string, (response: Uint8Array) => Credentials | undefined>> = {
  PLAIN: readPlain,
  AMQPLAIN: readAmqplain,
};

/** The mechanisms of connection.start, in RabbitMQ's order: the two that RabbitMQ offers without a plugin. */
export const MECHANISMS = Object.keys(READERS).join(' ');

export function isMechanism(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/** User and password of a connection.start-ok; undefined where they cannot be read. */
export function readCredentials(mechanism: string, response: Uint8Array): Credentials | undefined {
  return isMechanism(mechanism) ? READERS[mechanism]?.(response) : undefined;
}

/**
 * PLAIN (RFC 4616): authorization identity, user and password, separated by zero bytes. As in RabbitMQ, the
 * first part must be empty: acting for another user is not supported.
 */
function readPlain(response: Uint8Array): Credentials | undefined {
  const [actsFor, username, password, ...more] = Buffer.from(response).toString('utf8').split('\0');
  if (!username || password === undefined || actsFor !== '' || more.length > 0) return undefined;
  return { username, password };
}

/**
 * AMQPLAIN, the mechanism of AMQP 0-8: a field table with LOGIN and PASSWORD, without the length in front of it.
 * It is the default of php-amqplib and the first choice of py-amqp.
 */
function readAmqplain(response: Uint8Array): Credentials | undefined {
  const reader = new AmqpReader(response);
  const table = reader.tableFields();
  const [username, password] = [textOf(table.get('LOGIN')), textOf(table.get('PASSWORD'))];
  return reader.fault !== undefined || !username || password === undefined
    ? undefined
    : { username, password };
}
