/** A CONNACK with the return code 1, unacceptable protocol level (MQTT 3.1.1 sections 3.2 and 3.2.2.3). */
export const UNACCEPTABLE_LEVEL = Uint8Array.of(0x20, 2, 0, 1);

/**
 * How many bytes of a CONNECT contain its level: type, up to four of length, the longer of the two names, the
 * level.
 */
const HEAD_BYTES = 1 + 4 + 8 + 1;
const CONNECT = 0x10;
/** 5 is included: aedes refuses it itself. A bridge sets the highest bit. */
const KNOWN = new Set([3, 4, 5]);
const BRIDGE = 0x80;

/**
 * Reads the protocol level (section 3.1.2.2) at the beginning of a connection: aedes' parser closes a
 * connection with an unknown level without the CONNACK that the clause requires.
 */
export interface ProtocolLevelCheck {
  /** Checks the next bytes of the stream: true, at most once, if the level is unknown. */
  isRefused(chunk: Uint8Array): boolean;
}

export function protocolLevelCheck(): ProtocolLevelCheck {
  let head: number[] | undefined = [];
  return {
    isRefused(chunk) {
      if (head === undefined) return false;
      head.push(...chunk.subarray(0, HEAD_BYTES - head.length));
      const level = levelOf(head);
      if (level === undefined && head.length < HEAD_BYTES) return false;
      head = undefined;
      return level !== undefined && !KNOWN.has(level & ~BRIDGE);
    },
  };
}

/** Undefined: not received yet, or not a CONNECT of MQTT. */
function levelOf(head: readonly number[]): number | undefined {
  if (head[0] !== CONNECT) return undefined;
  let at = 1;
  while (at < 4 && ((head[at] ?? 0) & 0x80) !== 0) at += 1;
  const name = String.fromCharCode(...head.slice(at + 3, at + 3 + (head[at + 2] ?? 0)));
  if (head[at + 1] !== 0 || (name !== 'MQTT' && name !== 'MQIsdp')) return undefined;
  return head[at + 3 + name.length];
}
