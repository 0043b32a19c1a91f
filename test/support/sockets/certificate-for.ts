import { KeyObject, webcrypto } from 'node:crypto';
import '../../../brokers/tls/decorator-metadata.ts';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** A new certificate for that host, which vouches for itself, and its key; both in PEM. */
export async function certificateFor(host: string): Promise<{ readonly cert: string; readonly key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const nowMs = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [host] }],
      keys,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(nowMs - DAY_MS),
      notAfter: new Date(nowMs + DAY_MS),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      ],
    },
    webcrypto,
  );
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { cert: certificate.toString('pem'), key: String(key) };
}
