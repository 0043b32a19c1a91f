import { crc32 } from 'node:zlib';
import { type FlashOperation, LazyPage } from './flash.ts';

/**
 * One owner's flash memory. The last write is a separate record after the pages, as in a log; the next write
 * merges it into the pages. An incomplete record is skipped, so that a write is applied completely or not at
 * all. The bytes of a record matter only when its write is interrupted, so it is encoded only then:
 *
 *     length (4 bytes, of what follows without the checksum) | operation ... | CRC-32 (4 bytes)
 *     operation: 1 | key length (2) | key | byte count (4) | bytes        put
 *                0 | key length (2) | key                                 erase
 */
export class FlashImage {
  readonly #pages = new Map<string, Put>();
  #last: readonly FlashOperation[] = [];

  /** All intact pages whose key `matches`, in the order in which their keys were first written. */
  pages(matches: (key: string) => boolean = () => true): ReadonlyMap<string, Uint8Array> {
    const held = new Map(this.#pages);
    apply(held, this.#last);
    const pages = new Map<string, Uint8Array>();
    for (const [key, page] of held)
      if (matches(key)) pages.set(key, page instanceof LazyPage ? page.bytes : page.bytes.slice());
    return pages;
  }

  /** The image keeps the operations; the caller must not change them. */
  write(operations: readonly FlashOperation[]): void {
    apply(this.#pages, this.#last);
    this.#last = operations;
  }

  /** Only the first half of the last record reached the medium; erased flash reads as ones. */
  tearLastWrite(): void {
    const record = encode(this.#last);
    record.fill(0xff, record.byteLength >> 1);
    this.#last = read(record);
  }
}

type Put = Extract<FlashOperation, { readonly put: string }>;

function apply(pages: Map<string, Put>, operations: readonly FlashOperation[]): void {
  for (const operation of operations) {
    if ('put' in operation) pages.set(operation.put, operation);
    else pages.delete(operation.erase);
  }
}

const PUT = 1;
const ERASE = 0;

function encode(operations: readonly FlashOperation[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const operation of operations) {
    const isPut = 'put' in operation;
    const key = Buffer.from(isPut ? operation.put : operation.erase, 'utf8');
    const head = Buffer.alloc(3);
    head.writeUInt8(isPut ? PUT : ERASE, 0);
    head.writeUInt16BE(key.byteLength, 1);
    parts.push(head, key);
    if (!isPut) continue;
    const { bytes } = operation;
    const byteCount = Buffer.alloc(4);
    byteCount.writeUInt32BE(bytes.byteLength);
    parts.push(byteCount, bytes);
  }
  const body = Buffer.concat(parts);
  const record = Buffer.alloc(body.byteLength + 8);
  record.writeUInt32BE(body.byteLength, 0);
  record.set(body, 4);
  record.writeUInt32BE(crc32(record.subarray(0, -4)), body.byteLength + 4);
  return record;
}

/** The operations of a complete record; none of an incomplete one. */
function read(bytes: Uint8Array): readonly FlashOperation[] {
  const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (record.byteLength < 8) return [];
  const end = record.byteLength - 4;
  if (record.readUInt32BE(0) !== end - 4 || record.readUInt32BE(end) !== crc32(record.subarray(0, end)))
    return [];
  const operations: FlashOperation[] = [];
  let at = 4;
  while (at < end) {
    const isPut = record.readUInt8(at) === PUT;
    const keyEnd = at + 3 + record.readUInt16BE(at + 1);
    const key = record.toString('utf8', at + 3, keyEnd);
    if (isPut) {
      const bytesEnd = keyEnd + 4 + record.readUInt32BE(keyEnd);
      operations.push({ put: key, bytes: Uint8Array.from(record.subarray(keyEnd + 4, bytesEnd)) });
      at = bytesEnd;
    } else {
      operations.push({ erase: key });
      at = keyEnd;
    }
  }
  return operations;
}
