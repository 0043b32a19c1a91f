import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openManagedAccounts } from '../../brokers/amqp/management/managed-accounts.ts';
import { realLog } from '../../world/log/real-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxtwin-users-property-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Few, so that they meet; some that are no names, or those of every object. */
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 3, arbitrary: fc.constantFrom('_', 'A.b@c+d:e-f', '__proto__', 'constructor', '9') },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._@+:-]{0,127}$/) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 140 }) },
);
const pattern = fc.oneof(
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[\^a-c.*+?|()[\]\\$\n"]{0,12}$/) },
  { weight: 8, arbitrary: fc.constantFrom('', '^$', '.*', '^(a\\.b|c)$', '\ud800', '"', '\u2028\n') },
);
const password = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const move = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), name, password }),
  fc.record({
    kind: fc.constant('permissions' as const),
    name,
    configure: pattern,
    write: pattern,
    read: pattern,
  }),
  fc.record({ kind: fc.constant('delete' as const), name }),
  fc.record({ kind: fc.constant('restart' as const) }),
);

let opened = 0;
const open = (path: string) =>
  openManagedAccounts({
    path,
    administrator: { username: 'admin', password: 'right' },
    dismiss: () => undefined,
    crypto: {
      hashSecret: (secret) => Promise.resolve(`<${Buffer.from(secret).toString('hex')}>`),
      verifySecret: (secret, hash) => Promise.resolve(hash === `<${Buffer.from(secret).toString('hex')}>`),
    },
    log: realLog('silent', { output: { write: () => undefined } }),
  });

interface Expected {
  password: string;
  permissions: Readonly<Record<'configure' | 'write' | 'read', string>> | undefined;
}

test('what was accepted, and nothing else, is read back, before and after a restart', async () => {
  const seen = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 12 }), async (moves) => {
      const path = join(folder, `${opened++}.jsonl`);
      let accounts = await open(path);
      const users = new Map<string, Expected>();
      const call = (method: string, at: string, body?: object) =>
        accounts.app.request(`http://127.0.0.1/api/${at}`, {
          method,
          headers: { authorization: `Basic ${btoa('admin:right')}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      async function look(): Promise<void> {
        for (const [each, { password: secret, permissions }] of users) {
          expect(await accounts.authenticate(each, secret)).toBe(true);
          expect(await accounts.authenticate(each, `${secret}x`)).toBe(false);
          const shown = await call('GET', `permissions/%2F/${encodeURIComponent(each)}`);
          expect(shown.status).toBe(permissions === undefined ? 404 : 200);
          if (permissions !== undefined)
            expect(await shown.json()).toEqual({ user: each, vhost: '/', ...permissions });
        }
      }
      for (const each of [...moves, { kind: 'restart' as const }]) {
        if (each.kind === 'restart') {
          await accounts.close();
          accounts = await open(path);
          await look();
          continue;
        }
        const at = encodeURIComponent(each.name);
        const before = users.get(each.name);
        if (each.kind === 'delete') {
          const { status } = await call('DELETE', `users/${at}`);
          expect(status).toBe(before === undefined ? 404 : 204);
          users.delete(each.name);
          continue;
        }
        const { kind, name: _, ...body } = each;
        const { status } =
          kind === 'user'
            ? await call('PUT', `users/${at}`, { ...body, tags: '' })
            : await call('PUT', `permissions/%2F/${at}`, body);
        expect([201, 204, 400, 404]).toContain(status);
        if (status >= 400) {
          seen.refused++;
          continue;
        }
        seen.accepted++;
        if (each.kind === 'user')
          users.set(each.name, { password: each.password, permissions: before?.permissions });
        else {
          const { configure, write, read } = each;
          users.set(each.name, { password: before?.password ?? '', permissions: { configure, write, read } });
        }
      }
    }),
    { numRuns: 150 },
  );
  // Both happen, or this says little.
  expect(seen.accepted).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(100);
});
