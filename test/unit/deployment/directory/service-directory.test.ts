import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepClient, openServiceIdentity } from '../../../../deployment/directory/service-directory.ts';
import { readFixedClient } from '../../../../deployment/shared/fixed-client.ts';

describe('the text of a fixed client', () => {
  test.each([
    ['demo:secret', { id: 'demo', secret: 'secret' }],
    ['a.b_c~d-1:x', { id: 'a.b_c~d-1', secret: 'x' }],
    [`${'i'.repeat(56)}:${'s'.repeat(256)}`, { id: 'i'.repeat(56), secret: 's'.repeat(256) }],
    [`${'i'.repeat(57)}:s`, undefined],
    [`i:${'s'.repeat(257)}`, undefined],
    ['demo', undefined],
    [':secret', undefined],
    ['demo:', undefined],
    ['demo:with:colon', undefined],
    ['demo:with space', undefined],
    // Clients of the program itself.
    ['demo-console:secret', undefined],
    ['reference-page:secret', undefined],
  ])('%s', (text, client) => {
    expect(readFixedClient(text)).toEqual(client);
  });
});

describe('the client of a data directory', () => {
  let data: string;
  beforeEach(() => {
    data = join(mkdtempSync(join(tmpdir(), 'boxtwin-')), 'data');
  });
  afterEach(() => rmSync(join(data, '..'), { recursive: true, force: true }));
  const [one, two] = [
    { id: 'one', secret: 'secret-of-one' },
    { id: 'two', secret: 'secret-of-two' },
  ];
  const written = () =>
    JSON.parse(readFileSync(join(data, 'boxtwin.json'), 'utf8')) as Record<string, unknown>;
  const deleted: string[] = [];
  const store = {
    access: { deleteClient: (id: string) => Promise.resolve(void deleted.push(id)) },
  } as unknown as Parameters<typeof keepClient>[1];

  test('of a new one is the given one, which stays without the option', async () => {
    const { identity, formerClientId } = await openServiceIdentity({ data, seed: undefined, client: one });
    expect(formerClientId).toBeUndefined();
    expect(identity).toMatchObject({ client_id: 'one', client_secret: 'secret-of-one' });
    expect((await openServiceIdentity({ data, seed: undefined })).identity).toEqual(identity);
  });

  test('is replaced by another one, in the file only once the store has it', async () => {
    const { identity: generated } = await openServiceIdentity({ data, seed: undefined });
    const directory = await openServiceIdentity({ data, seed: undefined, client: two });
    expect(directory.identity).toMatchObject({ client_id: 'two', client_secret: 'secret-of-two' });
    expect(written()).toEqual(generated);
    deleted.length = 0;
    await keepClient(directory, store);
    expect(written()).toEqual({
      ...generated,
      client_id: 'two',
      client_secret: 'secret-of-two',
      client_is_fixed: true,
    });
    expect(statSync(join(data, 'boxtwin.json')).mode & 0o777).toBe(0o600);
    const former = generated.client_id;
    expect(deleted).toEqual([former, `${former}-console`, `${former}-drivers`, `${former}-setup`]);
  });

  test('with the same id and another secret is not deleted', async () => {
    await openServiceIdentity({ data, seed: undefined, client: one });
    const client = { id: 'one', secret: 'another' };
    deleted.length = 0;
    await keepClient(await openServiceIdentity({ data, seed: undefined, client }), store);
    expect(written()).toMatchObject({ client_id: 'one', client_secret: 'another' });
    expect(deleted).toEqual([]);
  });

  test.each([
    [{ host: '0.0.0.0' }, '--host 0.0.0.0'],
    [{ publicUrl: 'https://twin.example' }, '--public-url https://twin.example'],
  ])('is not fixed where %j lets other machines in, and nothing is made', async (open, named) => {
    const refused = openServiceIdentity({ data, seed: undefined, client: one, ...open });
    await expect(refused).rejects.toThrow(`${named} lets others in`);
    expect(() => written()).toThrow('ENOENT');
  });

  test('that was fixed is not used where other machines come in later', async () => {
    await openServiceIdentity({ data, seed: undefined, client: one });
    const refused = openServiceIdentity({ data, seed: undefined, host: '0.0.0.0' });
    await expect(refused).rejects.toThrow(/The client one of .*--fresh/);
    const fresh = await openServiceIdentity({ data, seed: undefined, host: '0.0.0.0', isFresh: true });
    expect(fresh.identity.client_id).not.toBe('one');
  });
});
