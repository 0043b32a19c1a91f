import { X509Certificate } from 'node:crypto';

/** Whether the text is a certificate in PEM form, or begins with one. */
export function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}
