import type { Client } from 'pg';

/** Whose answer it is. */
type Speaker = 'PostgreSQL' | 'MySQL' | 'other';

/** What the sentence says of the others. */
const WORDS: Readonly<Record<Exclude<Speaker, 'PostgreSQL'>, string>> = {
  MySQL: 'it greets as MySQL and MariaDB do',
  other: 'it answers in another protocol',
};

/** What listens at an address is no PostgreSQL server; the message says by what that is known. */
export class NotPostgres extends Error {
  override readonly name = 'NotPostgres';
  readonly code = 'NOT_POSTGRES';
}

/** A type and a length. */
const HEAD_BYTES = 5;
/** An AuthenticationRequest says behind them what it asks for (PostgreSQL 17, 53.7). */
const REQUEST = 0x52;
const REQUESTS: ReadonlySet<number> = new Set([0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
/** The lengths that an answer of each type may have: of a request, an error, a notice. PostgreSQL's own client has such too. */
const LENGTHS: ReadonlyMap<number, { readonly least: number; readonly most: number }> = new Map([
  [REQUEST, { least: 8, most: 2_000 }],
  [0x45, { least: 16, most: 30_000 }],
  [0x4e, { least: 16, most: 30_000 }],
]);
/** MySQL speaks first: three bytes of a length, a number that is 0, and the version of its protocol, or that it refuses. */
const GREETING = 10;
const REFUSAL = 0xff;

/** Whose the first bytes of an answer to a request for a session are; undefined: they are too few to tell. */
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
 * Lets a connection that is about to be opened in the clear read only once the first bytes that come are PostgreSQL's, and
 * breaks it with `NotPostgres` where they are not. The driver would take them for what they look like, and may throw where
 * nobody can catch it.
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
