import { limits } from './limits.ts';

/**
 * The text of a DBC file, or undefined where it has more bytes than any. Newer tools write UTF-8, older ones the code page
 * of Western Windows, in which `°C` is no UTF-8.
 */
export function decodeDbc(bytes: Uint8Array): string | undefined {
  if (bytes.length > limits.fileBytes) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
