import process from 'node:process';
import { Client } from 'pg';

const url = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1/test';

/** A connection to the server that benches make their databases on; a text says why there is none. */
export async function connectPostgres(): Promise<Client | string> {
  const server = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  const { host, port } = server;
  try {
    await server.connect();
    return server;
  } catch (error) {
    return `no PostgreSQL at ${host}:${port}: ${String(error)}`;
  }
}

/** Makes an empty database on that server; its address. Rejects where the name is taken. */
export async function newDatabase(server: Client, name: string): Promise<string> {
  await server.query(`create database ${name}`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  return place.href;
}

/** Drops a database, also one that is still in use; none of that name is as well. */
export async function dropDatabase(server: Client, name: string): Promise<void> {
  await server.query(`drop database if exists ${name} with (force)`);
}
