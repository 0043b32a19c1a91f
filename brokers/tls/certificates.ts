import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { limits } from '../limits.ts';
import './decorator-metadata.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  GeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key (PKCS #8), both in PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** The names of a server on this machine, wherever it listens. */
const NAMES: readonly ServerName[] = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
];

interface ServerName {
  readonly type: 'dns' | 'ip';
  readonly value: string;
}

/** Those names and the host on which the server listens: the certificate has no others. */
function namesOf(host: string): readonly ServerName[] {
  const own: ServerName = { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
  return NAMES.some(({ value }) => value === host) ? NAMES : [...NAMES, own];
}

/**
 * NameConstraints (RFC 5280 section 4.2.1.10): the authority is valid for this machine's loopback and for the host on
 * which the server listens. A system that trusts it trusts it for nothing else.
 */
function nameConstraints(host: string): number[] {
  const names = [
    ...NAMES,
    { type: 'ip', value: '127.0.0.0/8' } as const,
    ...namesOf(host).slice(NAMES.length),
  ];
  return der(0x30, der(0xa0, ...names.map(subtreeOf)));
}

/** A GeneralSubtree (RFC 5280 section 4.2.1.10): a DNS name with what is below it, or an address with its mask. */
function subtreeOf({ type, value }: ServerName): number[] {
  if (type === 'dns') return der(0x30, der(0x82, [...Buffer.from(value)]));
  const [address = '', bits] = value.split('/');
  const bytes = addressBytes(address);
  const mask = bytes.map((_, index) => (index * 8 < Number(bits ?? bytes.length * 8) ? 255 : 0));
  return der(0x30, der(0x87, [...bytes, ...mask]));
}

/** The bytes of an IP address: the content of its GeneralName. */
function addressBytes(address: string): number[] {
  return [...new Uint8Array(new GeneralName('ip', address).rawData)].slice(2);
}

/** Whether an authority may sign a certificate for this host. Total for certificates of `makeAuthority`. */
export function permitsHost(authority: KeyedCertificate, host: string): boolean {
  const raw = Buffer.from(new X509Certificate(authority.cert).rawData);
  const [own = NAMES[0]] = namesOf(host).slice(NAMES.length);
  const isInLoopback = own?.type === 'ip' && /^127\./.test(own.value);
  const subtrees = [own, ...(isInLoopback ? [{ type: 'ip', value: '127.0.0.0/8' } as const] : [])];
  return subtrees.some((name) => name !== undefined && raw.includes(Buffer.from(subtreeOf(name))));
}

/** Makes a certificate authority for this machine's own names and `host`. `name`: the subject of its certificate. */
export async function makeAuthority(
  name: string,
  nowMs: number,
  host = 'localhost',
): Promise<KeyedCertificate> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [name] }],
      keys,
      signingAlgorithm: ALGORITHM,
      serialNumber: serialNumber(),
      ...validity(nowMs, limits.certificates.authorityDays),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        new Extension('2.5.29.30', true, Uint8Array.from(nameConstraints(host))),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return pem(certificate, keys.privateKey);
}

/** Makes a server's certificate for `localhost`, 127.0.0.1, ::1 and its host, signed by the authority. */
export async function makeServerCertificate(
  authority: KeyedCertificate,
  nowMs: number,
  host: string,
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
      ...validity(nowMs, limits.certificates.serverDays),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([...namesOf(host)]),
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
    notBefore: new Date(nowMs - limits.certificates.earlierDays * DAY_MS),
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

/** One DER element of less than 65,536 bytes (X.690 section 8.1.3). */
function der(tag: number, ...content: readonly (readonly number[])[]): number[] {
  const bytes = content.flat();
  const { length } = bytes;
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return [tag, ...lengthBytes, ...bytes];
}
