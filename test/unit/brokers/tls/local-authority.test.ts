import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AuthorityUnusable, openLocalAuthority } from '../../../../brokers/tls/local-authority.ts';

const NOW_MS = Date.UTC(2026, 2, 2);
const DAY_MS = 86_400_000;

describe('the local certificate authority', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'boxtwin-')), 'tls');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  test('issues a certificate for the names of this machine only', async () => {
    const tls = await openLocalAuthority(folder, NOW_MS);
    const ca = new X509Certificate(tls.ca);
    const server = new X509Certificate(tls.cert);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.checkHost('localhost')).toBe('localhost');
    expect([server.checkIP('127.0.0.1'), server.checkIP('::1'), server.checkIP('127.0.0.2')]).toEqual([
      '127.0.0.1',
      '::1',
      undefined,
    ]);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(readFileSync(tls.caPath, 'utf8')).toBe(tls.ca);
  });

  test.each(['127.0.0.2', '192.0.2.7', '2001:db8::7', 'telematics.test'])(
    'issues a certificate for %s where the server listens there, and is kept then',
    async (host) => {
      const first = await openLocalAuthority(folder, NOW_MS, host);
      const server = new X509Certificate(first.cert);
      expect(isIP(host) === 0 ? server.checkHost(host) : server.checkIP(host)).toBe(host);
      expect(server.checkHost('localhost')).toBe('localhost');
      expect(await openLocalAuthority(folder, NOW_MS, host)).toEqual(first);
      expect((await openLocalAuthority(folder, NOW_MS)).ca).toBe(first.ca);
    },
  );

  test('is made anew only for a host that it may not sign for', async () => {
    const first = await openLocalAuthority(folder, NOW_MS);
    const inLoopback = await openLocalAuthority(folder, NOW_MS, '127.0.0.2');
    expect([inLoopback.ca === first.ca, inLoopback.cert === first.cert]).toEqual([true, false]);
    expect((await openLocalAuthority(folder, NOW_MS, '192.0.2.7')).ca).not.toBe(first.ca);
  });

  test('restricts its keys to their owner', async () => {
    await openLocalAuthority(folder, NOW_MS);
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect([mode(folder), mode(join(folder, 'ca-key.pem')), mode(join(folder, 'server-key.pem'))]).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });

  test('is the same at the next start, and so is the server certificate', async () => {
    expect(await openLocalAuthority(folder, NOW_MS)).toEqual(
      await openLocalAuthority(folder, NOW_MS + DAY_MS),
    );
  });

  test('renews the server certificate before it expires, and stays the one that clients trust', async () => {
    const first = await openLocalAuthority(folder, NOW_MS);
    const second = await openLocalAuthority(folder, NOW_MS + 350 * DAY_MS);
    expect(second.ca).toBe(first.ca);
    expect(second.cert).not.toBe(first.cert);
    expect(new X509Certificate(second.cert).verify(new X509Certificate(first.ca).publicKey)).toBe(true);
  });

  test.each([
    ['years later', NOW_MS + 3_640 * DAY_MS],
    ['before it was made, by a clock that was set back', NOW_MS - 10 * DAY_MS],
  ])('is made anew %s, with a server of its own', async (_when, nowMs) => {
    const first = await openLocalAuthority(folder, NOW_MS);
    const second = await openLocalAuthority(folder, nowMs);
    expect(second.ca).not.toBe(first.ca);
    expect(new X509Certificate(second.cert).verify(new X509Certificate(second.ca).publicKey)).toBe(true);
  });

  test.each(['server.pem', 'server-key.pem'])(
    'makes another server where %s is broken or missing',
    async (name) => {
      const { ca } = await openLocalAuthority(folder, NOW_MS);
      writeFileSync(join(folder, name), 'no PEM');
      expect((await openLocalAuthority(folder, NOW_MS)).ca).toBe(ca);
      unlinkSync(join(folder, name));
      expect((await openLocalAuthority(folder, NOW_MS)).ca).toBe(ca);
      expect(readFileSync(join(folder, name), 'utf8')).toContain('-----BEGIN');
    },
  );

  test('is created again if a crash left its key without a certificate', async () => {
    await openLocalAuthority(folder, NOW_MS);
    unlinkSync(join(folder, 'ca.pem'));
    const tls = await openLocalAuthority(folder, NOW_MS);
    expect(new X509Certificate(tls.cert).verify(new X509Certificate(tls.ca).publicKey)).toBe(true);
  });

  test.each(['ca.pem', 'ca-key.pem'])('is not replaced if %s is invalid: clients trust it', async (name) => {
    await openLocalAuthority(folder, NOW_MS);
    writeFileSync(join(folder, name), 'no PEM');
    await expect(openLocalAuthority(folder, NOW_MS)).rejects.toThrow(AuthorityUnusable);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('no PEM');
  });

  test('reports a folder that is not writable', async () => {
    writeFileSync(join(folder, '..', 'file'), '');
    await expect(openLocalAuthority(join(folder, '..', 'file', 'tls'), NOW_MS)).rejects.toThrow(
      'cannot be used',
    );
    expect(existsSync(join(folder, '..', 'file', 'tls'))).toBe(false);
  });
});
