import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import { postgres, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { runCommand, startPart, UpProcess } from '../support/sockets/up-process.ts';
import { databaseUrl, testDatabases } from '../support/store/postgres-databases.ts';

const place = mkdtempSync(join(tmpdir(), 'boxtwin-store-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The only line that a command says that cannot do what it was asked for. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCommand(args);
  expect(code, errors).toBe(2);
  expect(output).toBe('');
  expect(errors).not.toContain('secret');
  expect(errors.trimEnd().split('\n')).toHaveLength(1);
  return errors;
}

describe('a store that cannot be used is refused in one line, without the password', () => {
  test('where nobody answers, with up, the ledger and the commands of stores', async () => {
    const url = `postgres://ann:secret@127.0.0.1:${await freePort()}/fleet`;
    for (const args of [
      ['up', '--data', join(place, 'none'), '--store', url],
      ['store', 'migrate', '--store', url],
      ['store', 'check', '--store', url],
    ])
      expect(await refusalOf(args)).toContain('cannot be reached');
  });

  test('with options that do not go together', async () => {
    const url = 'postgres://ann:secret@127.0.0.1/fleet';
    expect(await refusalOf(['up', '--store', url, '--fresh'])).toContain('Drop the database');
    expect(await refusalOf(['backend', '--store-ca', 'ca.pem'])).toContain('there is no --store');
    expect(await refusalOf(['store', 'check', '--store', `sqlite:${join(place, 'none')}`])).toContain(
      'does not exist',
    );
  });

  test('with an address that has blanks and quotes in its password', async () => {
    const { code, errors } = await runCommand(['up', '--store', "postgres://ann:sec'ret sec'ret@host"]);
    expect(code).toBe(2);
    expect(errors).not.toContain("sec'ret");
  });
});

await withService(postgres, ({ url }) => {
  const databases = testDatabases(url);
  afterAll(() => databases.drop());

  test('a database that is missing, and one of another program, are refused', async () => {
    const missing = databaseUrl(url, 'boxtwin_test_missing');
    expect(await refusalOf(['store', 'check', '--store', missing])).toContain('createdb');
    const foreign = await databases.create();
    await databases.query(foreign, 'create table invoices (id integer)');
    for (const command of ['migrate', 'check'])
      expect(await refusalOf(['store', command, '--store', foreign])).toContain('a table invoices');
  });

  test('a database of a newer program is refused by each command, with what to do', async () => {
    const newer = await databases.create();
    expect((await runCommand(['store', 'migrate', '--store', newer])).code).toBe(0);
    await databases.query(newer, "insert into schema_version (version, name) values (9999, 'later')");
    for (const args of [
      ['store', 'check'],
      ['store', 'migrate'],
      ['backend', '--data', join(place, 'newer'), '--mqtt', `mqtt://127.0.0.1:${await freePort()}`],
    ])
      expect(await refusalOf([...args, '--store', newer])).toMatch(
        /schema version 9999, .* Use that version, or another database\.\n$/,
      );
  });

  test('a fleet goes on in a database from its file, and again after it was killed', async () => {
    const there = await databases.create();
    const data = join(place, 'fleet');
    const options = ['--vehicles', '3', '--data', data, ...(await UpProcess.ownPorts())];
    const first = await UpProcess.start(options);
    const file = `sqlite:${join(data, 'backend.sqlite')}`;
    expect(await refusalOf(['store', 'copy', '--from', file, '--to', there])).toContain('is in use');
    await first.end('SIGTERM');

    const copied = await runCommand(['store', 'copy', '--from', file, '--to', there, '--json']);
    expect(copied.code, copied.errors).toBe(0);
    expect(JSON.parse(copied.output)).toMatchObject({ tables: { vehicles: 5 } });
    expect(await refusalOf(['store', 'copy', '--from', file, '--to', there])).toContain('holds rows already');

    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const next = await UpProcess.start([...options, '--store', there]);
      expect(next.ready.fleet_id).toBe(first.ready.fleet_id);
      const listed = await fetch(`${next.ready.base_url}/vehicles`, {
        headers: { authorization: `Bearer ${await next.token()}` },
      });
      expect(listed.status).toBe(200);
      await next.end(signal);
    }
    const ledger = await runCommand(['ledger', '--data', data, '--store', there]);
    expect(ledger.code, ledger.output).toBe(0);
    const other = join(place, 'other');
    expect((await runCommand(['fleet', '--list', '--data', other])).code).toBe(0);
    expect(await refusalOf(['ledger', '--data', other, '--store', there])).toMatch(
      /database of --store belongs to the installation \S+, and \S+other is the installation/,
    );
    const checked = await runCommand(['store', 'check', '--store', there, '--json']);
    expect(checked.code, checked.output).toBe(0);
    expect(JSON.parse(checked.output)).toMatchObject({ is_right: true });
  });

  test('a copy that fails half-way leaves no row', async () => {
    const there = await databases.create();
    const path = join(place, 'half.sqlite');
    const store = openSqliteStore(path);
    await store.access.saveFleet({ id: 'OWNFLT', name: 'Fleet' });
    await store.close();
    expect((await runCommand(['store', 'migrate', '--store', there])).code).toBe(0);
    await databases.query(there, "alter table fleets add check (name <> 'Fleet')");
    const { code, errors } = await runCommand(['store', 'copy', '--from', `sqlite:${path}`, '--to', there]);
    expect(code).toBe(2);
    expect(errors).toContain('rows of the table fleets');
    expect(await databases.query(there, 'select id from fleets')).toEqual([]);
  });

  test('a check tells what is inconsistent, by its exit code too', async () => {
    const there = await databases.create();
    await runCommand(['store', 'migrate', '--store', there]);
    await databases.query(there, 'delete from partition_leases where partition = 7');
    const { code, output } = await runCommand(['store', 'check', '--store', there]);
    expect(code).toBe(1);
    expect(output).toContain('partitions without a lease: 1');
  });

  test('a second backend with the same identity answers, and one with another is refused', async () => {
    const there = await databases.create();
    const options = ['--vehicles', '1', '--store', there, '--mqtt', `mqtt://127.0.0.1:${await freePort()}`];
    const up = await UpProcess.start([
      ...['--vehicles', '1', '--data', join(place, 'one'), '--store', there],
      ...(await UpProcess.ownPorts()),
    ]);
    const refused = await refusalOf(['backend', ...options, '--data', join(place, 'other')]);
    expect(refused).toContain('the same boxtwin.json');
    const second = await startPart([
      ...['backend', '--vehicles', '1', '--store', there, '--data', join(place, 'one')],
      ...['--mqtt', up.ready.mqtt_url, '--port', `${await freePort()}`],
    ]);
    const baseUrl = String(second.ready['base_url']);
    const { client_id: id, client_secret: secret } = up.ready;
    const token = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}`, 'content-type': 'application/json' },
    });
    expect(token.status).toBe(200);
    await second.end('SIGTERM');
    await up.end('SIGTERM');
  });
});
