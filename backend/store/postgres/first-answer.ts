import type { Client } from 'pg';

/** The kind of server that answered. */
type Speaker = 'PostgreSQL' | 'MySQL' | 'other';

/** The description of the other server. */
const WORDS: Readonly<Record<Exclude<Speaker, 'PostgreSQL'>, string>> = {
  MySQL: 'it greets as MySQL and MariaDB do',
  other: 'it answers in another protocol',
};

/** The server at an address is not PostgreSQL; the message states the evidence. */
export class NotPostgres extends Error {
  override readonly name = 'NotPostgres';
  readonly code = 'NOT_POSTGRES';
}

/** A type and a length. */
const HEAD_BYTES = 5;
/** In an AuthenticationRequest the requested method follows them (PostgreSQL 17, 53.7). */
const REQUEST = 0x52;
const REQUESTS: ReadonlySet<number> = new Set([0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
/**
 * The allowed lengths of an answer of each type: a request, an error, a notice. PostgreSQL's own client has such bounds
 * too.
 */
const LENGTHS: ReadonlyMap<number, { readonly least: number; readonly most: number }> = new Map([
  [REQUEST, { least: 8, most: 2_000 }],
  [0x45, { least: 16, most: 30_000 }],
  [0x4e, { least: 16, most: 30_000 }],
]);
/** MySQL sends first: a length of three bytes, the number 0, and its protocol version or a refusal. */
const GREETING = 10;
const REFUSAL = 0xff;

/** The server kind by the first bytes of its answer to a session request; undefined: too few bytes. */
export function speakerOf(bytes: Uint8Array): Speaker | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint8(0);
  const length = view.getUint32(1);
  const lengths = LENGTHS.get(type);
  if (length === GREETING || (length === REFUSAL && lengths === undefined)) return 'MySQL';
  if (lengths === undefined || length < lengths.least || length > lengths.most) return 'other';
  if (type !== REQUEST) return 'PostgreSQL';
  if (bytes.length < HEAD_BYTES + 4) return undefined;
  return REQUESTS.has(view.getUint32(HEAD_BYTES)) ? 'PostgreSQL' : 'other';
}

/**
 * Delays reads of an unencrypted connection until its first bytes are known to be PostgreSQL's, and closes it with
 * `NotPostgres` if they are not. The driver would misinterpret them, and might throw an uncatchable error.
 */
export function lookAtFirstAnswer({ connection: { stream } }: Client): void {
  const handOn = stream.emit.bind(stream) as (event: string | symbol, ...values: unknown[]) => boolean;
  let held = Buffer.alloc(0);
  stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    const [chunk] = values;
    if (event !== 'data' || !Buffer.isBuffer(chunk)) return handOn(event, ...values);
    held = Buffer.concat([held, chunk]);
    const speaker = speakerOf(held);
    if (speaker === undefined) return true;
    stream.emit = handOn;
    if (speaker === 'PostgreSQL') return handOn('data', held);
    stream.destroy(new NotPostgres(WORDS[speaker]));
    return true;
  };
}
