import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyedCertificate } from './certificates.ts';
import { limits } from './limits.ts';

/** What a server of this machine speaks TLS with, and what its clients check it by. */
export interface LocalTls extends KeyedCertificate {
  /** The authority's certificate: for `--cacert` and the `ca` of clients. */
  readonly caPath: string;
  readonly ca: string;
}

/** The files of the folder; the keys are for their owner alone (0600). */
export const AUTHORITY_FILES = ['ca.pem', 'ca-key.pem', 'server.pem', 'server-key.pem'] as const;

/** The authority's files are there and are not what was written, or the folder takes none. */
export class AuthorityUnusable extends Error {
  override readonly name = 'AuthorityUnusable';
}

const DAY_MS = 86_400_000;

/**
 * The local certificate authority of `folder`, made where there is none yet or where it ends soon, and a server's
 * certificate by it for `localhost`, 127.0.0.1 and ::1, made anew whenever it cannot be used or ends soon. Rejects with
 * `AuthorityUnusable`: an authority that cannot be read is not replaced, since clients have its certificate.
 */
export async function openLocalAuthority(folder: string, nowMs: number): Promise<LocalTls> {
  const path = (name: (typeof AUTHORITY_FILES)[number]) => join(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = readPair(path('ca.pem'), path('ca-key.pem'));
    const isWhole = found !== undefined && isPair(found);
    if (found !== undefined && !isWhole)
      throw new AuthorityUnusable(`${path('ca.pem')} and ${path('ca-key.pem')} do not belong together.`);
    const isKept = found !== undefined && !endsSoon(found.cert, nowMs);
    const authority = isKept ? found : await newAuthority(path('ca.pem'), path('ca-key.pem'), nowMs);
    const server = await serverOf(authority, path('server.pem'), path('server-key.pem'), nowMs);
    return { ...server, ca: authority.cert, caPath: path('ca.pem') };
  } catch (error) {
    if (error instanceof AuthorityUnusable) throw error;
    throw new AuthorityUnusable(`The certificates in ${folder} cannot be used: ${reason(error)}.`, {
      cause: error,
    });
  }
}

async function newAuthority(certPath: string, keyPath: string, nowMs: number): Promise<KeyedCertificate> {
  const { makeAuthority } = await import('./certificates.ts');
  const made = await makeAuthority('boxtwin local authority', nowMs);
  writePair(certPath, keyPath, made);
  return made;
}

async function serverOf(
  authority: KeyedCertificate,
  certPath: string,
  keyPath: string,
  nowMs: number,
): Promise<KeyedCertificate> {
  const found = readServer(certPath, keyPath);
  if (found !== undefined && isOf(authority, found) && !endsSoon(found.cert, nowMs)) return found;
  // The library takes a moment to load, and most starts do without it.
  const { makeServerCertificate } = await import('./certificates.ts');
  const made = await makeServerCertificate(authority, nowMs);
  writePair(certPath, keyPath, made);
  return made;
}

/** Undefined where there is no certificate: a key alone was left by a crash between the two, and nobody has it. */
function readPair(certPath: string, keyPath: string): KeyedCertificate | undefined {
  if (!existsSync(certPath)) return undefined;
  return { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
}

/** A server's certificate is nobody's to keep: whatever is wrong with it, another one is made. */
function readServer(certPath: string, keyPath: string): KeyedCertificate | undefined {
  try {
    const found = readPair(certPath, keyPath);
    return found !== undefined && isPair(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Throws where one of them is no PEM. */
function isPair({ cert, key }: KeyedCertificate): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}

function isOf(authority: KeyedCertificate, server: KeyedCertificate): boolean {
  return new X509Certificate(server.cert).verify(new X509Certificate(authority.cert).publicKey);
}

function endsSoon(cert: string, nowMs: number): boolean {
  const certificate = new X509Certificate(cert);
  // A clock that was set back must not leave a certificate that is not valid yet.
  if (nowMs < certificate.validFromDate.getTime()) return true;
  return certificate.validToDate.getTime() - nowMs < limits.renewDays * DAY_MS;
}

/** Each written beside and renamed; the key first, so that a certificate is never without it. */
function writePair(certPath: string, keyPath: string, { cert, key }: KeyedCertificate): void {
  for (const [path, text, mode] of [
    [keyPath, key, 0o600],
    [certPath, cert, 0o644],
  ] as const) {
    writeFileSync(`${path}.new`, text, { mode });
    renameSync(`${path}.new`, path);
    chmodSync(path, mode);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
