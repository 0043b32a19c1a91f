import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { errorText } from '../../world/error-text.ts';
import { limits } from '../limits.ts';
import type { KeyedCertificate } from './certificates.ts';

/** The certificate of a server on this machine, and the authority by which its clients check it. */
export interface LocalTls extends KeyedCertificate {
  /** The authority's certificate: for `--cacert` and the `ca` of clients. */
  readonly caPath: string;
  readonly ca: string;
}

/** The files of the folder; only their owner may read the keys (0600). */
export const AUTHORITY_FILES = ['ca.pem', 'ca-key.pem', 'server.pem', 'server-key.pem'] as const;

/** The authority's files have unexpected content, or the folder is not writable. */
export class AuthorityUnusable extends Error {
  override readonly name = 'AuthorityUnusable';
}

const DAY_MS = 86_400_000;
/** Every certificate has these. */
const USUAL_HOSTS = ['localhost', '127.0.0.1', '::1'];

/**
 * The local certificate authority of `folder`, created if there is none, if it expires soon, or if it may not sign for
 * `host`, on which the server listens; and a server certificate for `localhost`, 127.0.0.1, ::1 and that host, renewed
 * if it cannot be used or expires soon. Rejects with `AuthorityUnusable`: an authority that cannot be read is not
 * replaced, since clients have its certificate.
 */
export async function openLocalAuthority(
  folder: string,
  nowMs: number,
  host = 'localhost',
): Promise<LocalTls> {
  const path = (name: (typeof AUTHORITY_FILES)[number]) => join(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = readPair(path('ca.pem'), path('ca-key.pem'));
    const isWhole = found !== undefined && isPair(found);
    if (found !== undefined && !isWhole)
      throw new AuthorityUnusable(`${path('ca.pem')} and ${path('ca-key.pem')} do not belong together.`);
    const isKept = found !== undefined && !endsSoon(found.cert, nowMs) && (await isAuthorityOf(found, host));
    const authority = isKept ? found : await newAuthority(path('ca.pem'), path('ca-key.pem'), host, nowMs);
    const server = await serverOf(authority, path('server.pem'), path('server-key.pem'), host, nowMs);
    return { ...server, ca: authority.cert, caPath: path('ca.pem') };
  } catch (error) {
    if (error instanceof AuthorityUnusable) throw error;
    throw new AuthorityUnusable(`The certificates in ${folder} cannot be used: ${errorText(error)}.`, {
      cause: error,
    });
  }
}

/** Whether the authority may sign for this host; every one may for `localhost`, 127.0.0.1 and ::1. */
async function isAuthorityOf(authority: KeyedCertificate, host: string): Promise<boolean> {
  if (USUAL_HOSTS.includes(host)) return true;
  const { permitsHost } = await import('./certificates.ts');
  return permitsHost(authority, host);
}

async function newAuthority(
  certPath: string,
  keyPath: string,
  host: string,
  nowMs: number,
): Promise<KeyedCertificate> {
  const { makeAuthority } = await import('./certificates.ts');
  const made = await makeAuthority('boxtwin local authority', nowMs, host);
  writePair(certPath, keyPath, made);
  return made;
}

async function serverOf(
  authority: KeyedCertificate,
  certPath: string,
  keyPath: string,
  host: string,
  nowMs: number,
): Promise<KeyedCertificate> {
  const found = readServer(certPath, keyPath);
  const isKept = found !== undefined && isOf(authority, found) && isFor(found, host);
  if (isKept && !endsSoon(found.cert, nowMs)) return found;
  // The library is slow to load, and most starts do not need it.
  const { makeServerCertificate } = await import('./certificates.ts');
  const made = await makeServerCertificate(authority, nowMs, host);
  writePair(certPath, keyPath, made);
  return made;
}

/** Undefined if there is no certificate: a crash between the two writes leaves only a key, which is not used yet. */
function readPair(certPath: string, keyPath: string): KeyedCertificate | undefined {
  if (!existsSync(certPath)) return undefined;
  return { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
}

/** A server certificate can be replaced at any time, whatever its fault. */
function readServer(certPath: string, keyPath: string): KeyedCertificate | undefined {
  try {
    const found = readPair(certPath, keyPath);
    return found !== undefined && isPair(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Throws if one of them is not PEM. */
function isPair({ cert, key }: KeyedCertificate): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
}

function isOf(authority: KeyedCertificate, server: KeyedCertificate): boolean {
  return new X509Certificate(server.cert).verify(new X509Certificate(authority.cert).publicKey);
}

/** Whether clients that call the server by this host take its certificate (RFC 9525). */
function isFor(server: KeyedCertificate, host: string): boolean {
  const certificate = new X509Certificate(server.cert);
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

function endsSoon(cert: string, nowMs: number): boolean {
  const certificate = new X509Certificate(cert);
  // After a clock was set back, the certificate may not be valid yet.
  if (nowMs < certificate.validFromDate.getTime()) return true;
  return certificate.validToDate.getTime() - nowMs < limits.certificates.renewDays * DAY_MS;
}

/** Each is written to another file and renamed; the key first, so that a certificate never exists without it. */
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
