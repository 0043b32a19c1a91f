import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreFailed, StoreTooNew } from '../../backend/store/port/store.ts';
import { postgresLimits } from '../../backend/store/postgres/limits.ts';
import { POSTGRES_MIGRATIONS } from '../../backend/store/postgres/migrations/list.ts';
import type { PostgresSettings } from '../../backend/store/postgres/store.ts';
import { makeAuthority } from '../../brokers/tls/certificates.ts';
import { postgres, postgresPrograms, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { certificateFor } from '../support/sockets/certificate-for.ts';
import { mysqlGreeting, mysqlPacket } from '../support/sockets/mysql-greeting.ts';
import { type PostgresServer, startPostgresServer } from '../support/sockets/postgres-server.ts';
import { databaseUrl, openTestStore, testDatabases } from '../support/store/postgres-databases.ts';

/** The error that opening rejects with; it is one line, and has no password. */
async function refusalOf(url: string, change: Partial<PostgresSettings> = {}): Promise<Error> {
  const error: unknown = await openTestStore(url, change).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  expect(message).not.toContain('secret');
  return error as Error;
}

function withoutAccount(url: string): string {
  return url.replace('ann:secret@', '');
}

async function failureOf(url: string, change: Partial<PostgresSettings> = {}): Promise<string> {
  const error = await refusalOf(url, change);
  expect(error).toBeInstanceOf(StoreFailed);
  return error.message;
}

describe('what is no PostgreSQL server', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });
  async function listen(server: Server): Promise<string> {
    servers.push(server);
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve());
    });
    return `postgres://ann:secret@127.0.0.1:${(server.address() as AddressInfo).port}/fleet`;
  }

  test('an address where nobody listens is named', async () => {
    const port = await freePort();
    expect(await failureOf(`postgres://ann:secret@127.0.0.1:${port}/fleet`)).toBe(
      `postgres://127.0.0.1:${port}/fleet cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}. Is the server running there, and does it listen at that address?`,
    );
  });

  test('a host that does not exist is named', async () => {
    expect(await failureOf('postgres://ann:secret@nowhere.invalid/fleet')).toContain('nowhere.invalid');
  });

  test('a web server is named as none', async () => {
    const url = await listen(createHttpServer());
    expect(await failureOf(url)).toContain('is no PostgreSQL server: it answers in another protocol');
    expect(await failureOf(`${url}?sslmode=require`)).toContain('no PostgreSQL server');
  });

  test('one that hangs up is named', async () => {
    const url = await listen(createServer((socket) => socket.resetAndDestroy()));
    expect(await failureOf(url)).toContain('it is no PostgreSQL server');
  });

  test('one that says nothing, as Redis does, is named after a bounded time', async () => {
    const url = await listen(createServer());
    const limits = { ...postgresLimits, connectMs: 100 };
    expect(await failureOf(url, { limits })).toContain('has not answered as PostgreSQL does within 0.1 s');
  });

  test('one of MySQL or MariaDB is named, with what to do, whatever the length of its greeting is', async () => {
    for (let length = 0; length < 60; length += 1) {
      const url = await listen(
        createServer((socket) => {
          socket.on('error', () => undefined);
          const greeting = mysqlGreeting('8'.repeat(length));
          // Also in pieces.
          socket.write(greeting.subarray(0, length % 6));
          setImmediate(() => socket.write(greeting.subarray(length % 6)));
          const refusal = Buffer.from('\xff\x84\x04#08S01Got packets out of order', 'latin1');
          socket.once('data', () => socket.end(mysqlPacket(2, refusal)));
        }),
      );
      expect(await failureOf(url)).toBe(
        `What listens at ${withoutAccount(url)} is no PostgreSQL server: it greets as MySQL and MariaDB do. Give the address of one; its port is usually 5432.`,
      );
      expect(await failureOf(`${url}?sslmode=require`)).toContain('is no PostgreSQL server: it does not');
    }
  });

  test('one that answers in another protocol is named', async () => {
    const url = await listen(createServer((socket) => socket.end(Buffer.from([0x51, 0, 0, 0, 4]))));
    expect(await failureOf(url)).toContain('no PostgreSQL server');
  });
});

test('an address that cannot be read is refused without connecting', async () => {
  expect(await failureOf('postgres://ann:secret@db.example:port/fleet')).toContain('cannot be read');
});

await withService(postgres, ({ url }) => {
  describe('a database that is not ours to use', () => {
    const databases = testDatabases(url);
    afterAll(() => databases.drop());

    test('one that does not exist is named, with how to create it', async () => {
      const refusal = await failureOf(databaseUrl(url, 'boxtwin_test_missing'));
      expect(refusal).toContain('boxtwin_test_missing does not exist');
      expect(refusal).toContain('createdb');
    });

    test('one with tables of another program is refused, and nothing in it is changed', async () => {
      const there = await databases.create();
      await databases.query(there, 'create table invoices (id integer)');
      expect(await failureOf(there)).toContain('a table invoices');
      expect(
        await databases.query(
          there,
          "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
        ),
      ).toEqual([{ relname: 'invoices' }]);
    });

    test("one whose table of versions is another program's is refused as well", async () => {
      const there = await databases.create();
      await databases.query(there, 'create table schema_version (version text, installed_by text)');
      expect(await failureOf(there)).toContain('a table schema_version');
    });

    test("tables of an extension are nobody's", async () => {
      const there = await databases.create();
      await databases.query(there, 'create extension if not exists pg_stat_statements');
      await (await openTestStore(there)).close();
    });

    test('one of a newer program is refused with both versions, and nothing in it is changed', async () => {
      const there = await databases.create();
      await (await openTestStore(there)).close();
      const last = POSTGRES_MIGRATIONS.length;
      await databases.query(
        there,
        `insert into schema_version (version, name) values (${last + 41}, 'later')`,
      );
      const refusal = await refusalOf(there);
      expect(refusal).toBeInstanceOf(StoreTooNew);
      expect(refusal.message).toContain(`schema version ${last + 41}`);
      expect(refusal.message).toContain(`up to ${last}`);
    });

    test('one whose schema the user may not create tables in is named, with what to do', async () => {
      const there = await databases.create();
      const name = `boxtwin_test_${process.pid}`;
      await databases.query(there, `create role ${name} login`);
      try {
        const asOther = new URL(there);
        asOther.username = name;
        await databases.query(there, 'revoke create on schema public from public');
        const refusal = await failureOf(asOther.href);
        expect(refusal).toContain(`${name} may not`);
        expect(refusal).toContain('owner of the database');
        await databases.query(there, 'revoke usage on schema public from public');
        expect(await failureOf(asOther.href)).toContain('no schema');
      } finally {
        await databases.query(there, `drop role ${name}`);
      }
    });
  });

  describe('the schema', () => {
    const databases = testDatabases(url);
    afterAll(() => databases.drop());

    test('is made once, though several processes open the database at the same time', async () => {
      const there = await databases.create();
      const stores = await Promise.all(Array.from({ length: 4 }, () => openTestStore(there)));
      await Promise.all(stores.map((store) => store.close()));
      expect(
        await databases.query(there, 'select version, name from schema_version order by version'),
      ).toEqual(POSTGRES_MIGRATIONS.map(({ version, name }) => ({ version, name })));
    });

    test('is brought up to date step by step', async () => {
      const there = await databases.create();
      await (await openTestStore(there)).close();
      const next = {
        version: POSTGRES_MIGRATIONS.length + 1,
        name: 'later',
        sql: 'create table later (id integer)',
      };
      await (await openTestStore(there, { migrations: [...POSTGRES_MIGRATIONS, next] })).close();
      expect(await databases.query(there, 'select count(*)::integer as rows from later')).toEqual([
        { rows: 0 },
      ]);
    });

    test("brings a maker's vehicle that is linked into the stock of its fleet", async () => {
      const there = await databases.create();
      const before = POSTGRES_MIGRATIONS.filter(({ version }) => version < 3);
      await (await openTestStore(there, { migrations: before })).close();
      await databases.query(
        there,
        `insert into vehicles (id, fleet_id, maker, maker_vehicle_id, model, setup_status, master_data, tags,
            operation_status_ms, rental_status_ms, search_text, created_ms, modified_ms)
          values ('VEH01', 'FLEET1', 'northwind', 'NW-1', 'electric-estate', 'SUCCEEDED', '{}', '[]', 5, 5, 'veh01' || chr(10) || 'nw-1' || chr(10) || 'wvw1', 5, 6)`,
      );
      const store = await openTestStore(there);
      const link = { name: 'northwind', vehicleId: 'NW-1' };
      expect(await store.vehicles.findMakerUnit(link)).toEqual({ link, fleetId: 'FLEET1' });
      expect(await databases.query(there, 'select search_text from vehicles')).toEqual([
        { search_text: 'veh01\n\nwvw1' },
      ]);
      await store.close();
    });

    test('a step that fails keeps the version before, with nothing of it', async () => {
      const there = await databases.create();
      const broken = {
        version: POSTGRES_MIGRATIONS.length + 1,
        name: 'broken',
        sql: 'create table half (id integer); create table half (id integer)',
      };
      await expect(openTestStore(there, { migrations: [...POSTGRES_MIGRATIONS, broken] })).rejects.toThrow(
        /half/,
      );
      expect(await databases.query(there, "select to_regclass('half') as found")).toEqual([{ found: null }]);
      await (await openTestStore(there)).close();
    });

    test('a step that changes a table in use gives up, and says so', async () => {
      const there = await databases.create();
      await (await openTestStore(there)).close();
      const next = {
        version: POSTGRES_MIGRATIONS.length + 1,
        name: 'later',
        sql: 'alter table fleets add later text',
      };
      const user = new Client({ connectionString: there });
      await user.connect();
      await user.query('begin; select from fleets');
      const refusal = await failureOf(there, {
        migrations: [...POSTGRES_MIGRATIONS, next],
        limits: { ...postgresLimits, migrationLockMs: 50 },
      });
      expect(refusal).toContain('cannot be changed while another connection uses them');
      await user.end();
    });

    test('a column that a newer program adds does not disturb one that is running', async () => {
      const there = await databases.create();
      const store = await openTestStore(there);
      await store.access.saveClient({
        id: 'C1',
        fleetId: 'F',
        secretHash: 'h',
        permissions: [],
        createdMs: 1,
      });
      const before = await store.access.findClient('C1');
      await databases.query(there, 'alter table clients add column later text');
      expect(await store.access.findClient('C1')).toEqual(before);
      await store.close();
    });
  });
});

await withService(postgresPrograms, (programs) => {
  describe('a server that wants to know who is there', () => {
    let server: PostgresServer;
    let authority: string;
    beforeAll(async () => {
      const tls = await certificateFor('localhost');
      authority = tls.cert;
      server = await startPostgresServer(programs, {
        tls,
        rules: [
          'local all postgres trust',
          'hostssl all safe 127.0.0.1/32 trust',
          'host all ann 127.0.0.1/32 scram-sha-256',
          'host all old 127.0.0.1/32 password',
          'host all postgres,bob 127.0.0.1/32 trust',
        ],
      });
      const databases = testDatabases(server.url());
      for (const name of ['ann', 'old', 'safe']) {
        await databases.query(server.url(), `create role ${name} login superuser password 'right'`);
      }
    });
    afterAll(() => server.remove());
    const urlFor = (user: string, parameters = ''): string =>
      `postgres://${user}@localhost:${server.port}/postgres${parameters}`;

    test.each(['ann', 'old'])(
      'refuses a wrong password of %s, and a missing one; both are told',
      async (user) => {
        expect(await failureOf(urlFor(`${user}:secret`))).toContain(
          `does not accept the password of ${user}`,
        );
        expect(await failureOf(urlFor(user))).toContain(
          `asks for a password of ${user}, and the address has none`,
        );
        await (await openTestStore(urlFor(`${user}:right`))).close();
      },
    );

    test('refuses a user that it does not know', async () => {
      expect(await failureOf(urlFor('bob:secret'))).toContain('does not let this user in');
    });

    test('wants TLS, and the sentence says how to use it', async () => {
      const refusal = await failureOf(urlFor('safe'));
      expect(refusal).toContain('sslmode=verify-full');
    });

    test('is trusted where the authority of its certificate is given', async () => {
      await (await openTestStore(urlFor('safe'), { authority })).close();
      await (await openTestStore(urlFor('safe', '?sslmode=require'))).close();
      expect(await failureOf(urlFor('safe', '?sslmode=verify-full'))).toContain('is not trusted');
    });

    test('is not trusted by another authority', async () => {
      const { cert } = await makeAuthority('another', Date.now());
      expect(await failureOf(urlFor('safe'), { authority: cert })).toContain('is not trusted');
    });

    test('is not trusted under a name that its certificate does not have, unless only the authority counts', async () => {
      const elsewhere = urlFor('safe').replace('localhost', '127.0.0.1');
      expect(await failureOf(elsewhere, { authority })).toContain('is for another host');
      await (await openTestStore(`${elsewhere}?sslmode=verify-ca`, { authority })).close();
    });

    test('has to be trusted by what is a certificate', async () => {
      for (const broken of ['secret', authority.slice(0, 200), authority.replaceAll('M', '!')]) {
        expect(await failureOf(urlFor('safe'), { authority: broken })).toContain('holds no certificate');
      }
    });
  });

  describe('a server without TLS and with few connections', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgresServer(programs, {
        settings: ['max_connections = 2', 'superuser_reserved_connections = 1'],
      });
    });
    afterAll(() => server.remove());

    test('says so where TLS is asked for', async () => {
      expect(await failureOf(`${server.url()}?sslmode=verify-full`)).toContain('does not offer TLS');
    });

    test('says so where no connection is left', async () => {
      const databases = testDatabases(server.url());
      await databases.query(server.url(), 'create role ann login');
      await databases.query(server.url(), 'grant create on schema public to ann');
      const url = server.url().replace('postgres@', 'ann@');
      const store = await openTestStore(url);
      await store.access.findFleet('F');
      expect(await failureOf(url)).toContain('has no connection left');
      await store.close();
    });
  });
});
