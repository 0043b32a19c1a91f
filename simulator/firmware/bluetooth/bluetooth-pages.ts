import { ulidBytes, ulidText } from '../../../protocol/ulid.ts';

/** A token that was used, or that was withdrawn before it expired. */
export interface KnownToken {
  /** ULID */
  readonly id: string;
  readonly expiresMs: number;
  /** 16 bits. */
  readonly used: number;
  readonly isWithdrawn: boolean;
}

/** The stored data about tokens, without the tokens themselves. */
export interface TokenMemory {
  /** The latest expiry of a forgotten token. A token that expires by then is always refused. */
  readonly floorMs: number;
  /** When the box was installed in its vehicle. A token that was issued earlier is for another vehicle. */
  readonly sinceMs: number;
  readonly tokens: readonly KnownToken[];
}

export const noTokens: TokenMemory = { floorMs: 0, sinceMs: 0, tokens: [] };

/**
 * The page of the tokens. A page of a wrong length counts as missing.
 *
 *     bluetooth  floor f64, since f64, then for each token: id 16 bytes, expiry f64, used u16, flags u8 (bit 0: withdrawn)
 */
export const bluetoothKey = 'bluetooth';
const HEAD_BYTES = 16;
const TOKEN_BYTES = 27;

export function bluetoothPage({ floorMs, sinceMs, tokens }: TokenMemory): Uint8Array {
  const page = new Uint8Array(HEAD_BYTES + tokens.length * TOKEN_BYTES);
  const view = new DataView(page.buffer);
  view.setFloat64(0, floorMs);
  view.setFloat64(8, sinceMs);
  for (const [index, { id, expiresMs, used, isWithdrawn }] of tokens.entries()) {
    const at = HEAD_BYTES + index * TOKEN_BYTES;
    page.set(ulidBytes(id) ?? [], at);
    view.setFloat64(at + 16, expiresMs);
    view.setUint16(at + 24, used);
    view.setUint8(at + 26, isWithdrawn ? 1 : 0);
  }
  return page;
}

export function readBluetooth(bytes: Uint8Array | undefined): TokenMemory {
  if (bytes === undefined || bytes.length < HEAD_BYTES) return noTokens;
  if ((bytes.length - HEAD_BYTES) % TOKEN_BYTES !== 0) return noTokens;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tokens: KnownToken[] = [];
  for (let at = HEAD_BYTES; at < bytes.length; at += TOKEN_BYTES) {
    tokens.push({
      id: ulidText(bytes, at),
      expiresMs: view.getFloat64(at + 16),
      used: view.getUint16(at + 24),
      isWithdrawn: (view.getUint8(at + 26) & 1) === 1,
    });
  }
  return { floorMs: view.getFloat64(0), sinceMs: view.getFloat64(8), tokens };
}
