import { webcrypto } from 'node:crypto';
import './decorator-metadata.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { limits } from './limits.ts';

/** A certificate and its private key (PKCS #8), both in PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** The names of a server on this machine; the certificate has no others. */
const NAMES = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
] as const;

const V6_LOOPBACK = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
/**
 * NameConstraints (RFC 5280 section 4.2.1.10): the authority is valid for those names only. A system that
 * trusts it trusts it for nothing else.
 */
const NAME_CONSTRAINTS = der(
  0x30,
  der(
    0xa0,
    der(0x30, der(0x82, [...Buffer.from('localhost')])),
    der(0x30, der(0x87, [127, 0, 0, 1, 255, 255, 255, 255])),
    der(0x30, der(0x87, [...V6_LOOPBACK, ...V6_LOOPBACK.map(() => 255)])),
  ),
);

/** Makes a certificate authority for this machine's own names. `name`: the subject of its certificate. */
export async function makeAuthority(name: string, nowMs: number): Promise<KeyedCertificate> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [name] }],
      keys,
      signingAlgorithm: ALGORITHM,
      serialNumber: serialNumber(),
      ...validity(nowMs, limits.authorityDays),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        new Extension('2.5.29.30', true, Uint8Array.from(NAME_CONSTRAINTS)),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return pem(certificate, keys.privateKey);
}

/** Makes a server's certificate for `localhost`, 127.0.0.1 and ::1, signed by the authority. */
export async function makeServerCertificate(
  authority: KeyedCertificate,
  nowMs: number,
): Promise<KeyedCertificate> {
  const issuer = new X509Certificate(authority.cert);
  const signingKey = await webcrypto.subtle.importKey('pkcs8', fromPem(authority.key), ALGORITHM, false, [
    'sign',
  ]);
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.create(
    {
      subject: [{ CN: ['localhost'] }],
      issuer: issuer.subjectName,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: ALGORITHM,
      serialNumber: serialNumber(),
      ...validity(nowMs, limits.serverDays),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension(NAMES),
        await AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return pem(certificate, keys.privateKey);
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** Positive and of 16 bytes at most (RFC 5280 section 4.1.2.2). */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

function validity(nowMs: number, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return {
    notBefore: new Date(nowMs - limits.earlierDays * DAY_MS),
    notAfter: new Date(nowMs + days * DAY_MS),
  };
}

async function pem(certificate: X509Certificate, privateKey: webcrypto.CryptoKey): Promise<KeyedCertificate> {
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
  const lines = key.match(/.{1,64}/g) ?? [];
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

function fromPem(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

/** One DER element; none here is longer than 127 bytes, so its length is one byte. */
function der(tag: number, ...content: readonly (readonly number[])[]): number[] {
  const bytes = content.flat();
  return [tag, bytes.length, ...bytes];
}
