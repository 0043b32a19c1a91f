/** What a client sends at once and waits for: all up to a Sync, or a simple query. */
export interface Request {
  readonly bytes: Buffer;
  /** The SQL of a simple query, or the name of a prepared statement. */
  readonly text: string;
  /** False: the greeting, a password, or the end of the session. */
  readonly isCounted: boolean;
}

const HEAD_BYTES = 5;
const [SYNC, QUERY, BIND, READY] = ['S', 'Q', 'B', 'Z'].map((letter) => letter.charCodeAt(0));
/** Parts of a request that a Sync ends: Parse, Bind, Describe, Execute, Close. */
const PARTS: ReadonlySet<number> = new Set([...'PBDEC'].map((letter) => letter.charCodeAt(0)));

/** Reads what a client sends (PostgreSQL 17, 53.7), without TLS. */
export class FrontendMessages {
  #rest: Buffer = Buffer.alloc(0);
  #hasGreeted = false;
  #parts: Buffer[] = [];
  #text = '';

  /** The requests that end with these bytes. */
  take(bytes: Buffer): readonly Request[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const requests: Request[] = [];
    for (;;) {
      const lengthAt = this.#hasGreeted ? 1 : 0;
      if (this.#rest.length < lengthAt + 4) return requests;
      const length = lengthAt + this.#rest.readInt32BE(lengthAt);
      if (this.#rest.length < length) return requests;
      const message = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const request = this.#requestOf(message);
      this.#hasGreeted = true;
      if (request !== undefined) requests.push(request);
    }
  }

  #requestOf(message: Buffer): Request | undefined {
    const type = this.#hasGreeted ? message.readUInt8(0) : undefined;
    if (type === QUERY) {
      return {
        bytes: message,
        text: message.toString('utf8', HEAD_BYTES, message.length - 1),
        isCounted: true,
      };
    }
    if (type === SYNC) {
      const bytes = Buffer.concat([...this.#parts, message]);
      this.#parts = [];
      return { bytes, text: this.#text, isCounted: true };
    }
    if (type === undefined || !PARTS.has(type)) return { bytes: message, text: '', isCounted: false };
    // A portal without a name, then the name of the statement.
    if (type === BIND)
      this.#text = message.toString('utf8', HEAD_BYTES + 1, message.indexOf(0, HEAD_BYTES + 1));
    this.#parts.push(message);
    return undefined;
  }
}

/** Reads what a server answers. */
export class BackendMessages {
  #rest: Buffer = Buffer.alloc(0);

  /** How many answers end with these bytes: with each the server is ready for the next request. */
  ends(bytes: Buffer): number {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let ends = 0;
    while (this.#rest.length >= HEAD_BYTES) {
      const length = 1 + this.#rest.readInt32BE(1);
      if (this.#rest.length < length) break;
      if (this.#rest.readUInt8(0) === READY) ends += 1;
      this.#rest = this.#rest.subarray(length);
    }
    return ends;
  }
}
