/**
 * The client id of an MQTT CONNECT (MQTT 3.1.1 section 3.1) at the beginning of a connection; empty if the
 * bytes are not a CONNECT; undefined if there are too few bytes.
 */
export function clientIdOf(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength === 0) return undefined;
  if (bytes[0] !== CONNECT) return '';
  const from = afterLength(bytes);
  if (from === undefined) return undefined;
  const protocol = text(bytes, from);
  if (protocol === undefined) return undefined;
  // Protocol level, flags and keep-alive come first.
  return text(bytes, protocol.end + 4)?.text;
}

const CONNECT = 0x10;
/** The remaining length has 1 to 4 bytes; all but the last have the highest bit (section 2.2.3). */
const MOST_LENGTH_BYTES = 4;

function afterLength(bytes: Uint8Array): number | undefined {
  for (let at = 1; at <= MOST_LENGTH_BYTES; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    if (byte < 0x80) return at + 1;
  }
  return MOST_LENGTH_BYTES + 1;
}

/** A string with its length prefix (section 1.5.3). */
function text(bytes: Uint8Array, at: number): { readonly text: string; readonly end: number } | undefined {
  const [high, low] = [bytes[at], bytes[at + 1]];
  if (high === undefined || low === undefined) return undefined;
  const end = at + 2 + high * 0x100 + low;
  if (end > bytes.byteLength) return undefined;
  return { text: new TextDecoder().decode(bytes.subarray(at + 2, end)), end };
}
