import { X509Certificate } from 'node:crypto';

/** Whether the text is, or begins with, a certificate in PEM form. */
export function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}
