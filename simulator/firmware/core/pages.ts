import { decodePayload } from '../../../protocol/codec/frame.ts';
import type { Tombstone } from '../../../protocol/message.ts';
import { SETTINGS, type SettingName } from '../../../protocol/settings.ts';
import type { AnsweredRequest, CommandIntent } from '../commands/command-state.ts';
import type { EntryClass, JournalEntry } from '../journal/entry-index.ts';
import type { BoxClock } from '../power/rtc.ts';
import type { BoxConfiguration, BoxCounters } from './state.ts';

/**
 * The pages of a box's flash. Numbers are big-endian. Each page is complete or missing (the medium checks
 * it), so a page of a wrong length has another layout and counts as missing. The pages of the programs:
 * simulator/firmware/update/program-pages.ts.
 *
 *     counters   epoch u32, next u32, boot u16, connection u32, flags u8 (bit 0 workshop),
 *                network u32, floor f64
 *     clock      early f64, late f64, counter f64
 *     settings   revision u32, then (code u16, value u32) for each setting
 *     calibrated activation u32
 *     intent     expiry f64, command u8, request id 26 characters; of moves also their count u8, and the position
 *                of each part before u8 (bit n: the n-th). Bit 7 of the count: a phone's request, with its token's id
 *     a/<id>     expiry f64, sequence u32, the reply's frame
 *     j/<seq>    sort u8, flags u8 (bit 0: was unreadable once), the record's frame
 */
const ENTRY_CLASSES: readonly EntryClass[] = ['report', 'event', 'reply', 'tombstone'];
const COUNTERS_BYTES = 27;
const CLOCK_BYTES = 24;
/** Without what follows the request id. */
const INTENT_BYTES = 35;
const OF_ACCESS = 0x80;

export const countersKey = 'counters';
export const clockKey = 'clock';
export const settingsKey = 'settings';
export const calibratedKey = 'calibrated';
export const intentKey = 'intent';

/** The key of a journal record: eight hex digits, so that keys sort like sequences. */
export function recordKey(sequence: number): string {
  return `j/${sequence.toString(16).padStart(8, '0')}`;
}

export function isRecordKey(key: string): boolean {
  return key.startsWith('j/');
}

export function answeredKey(requestId: string): string {
  return `a/${requestId}`;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function countersPage(counters: BoxCounters, epoch: number, next: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(COUNTERS_BYTES));
  view.setUint32(0, epoch);
  // One above the highest sequence does not fit: the journal is used up then, which 0 means.
  view.setUint32(4, next > 0xffff_ffff ? 0 : next);
  view.setUint16(8, counters.boot);
  view.setUint32(10, counters.connection);
  view.setUint8(14, counters.workshop ? 1 : 0);
  view.setUint32(15, counters.network);
  view.setFloat64(19, counters.answeredFloorMs);
  return new Uint8Array(view.buffer);
}

export function readCounters(
  bytes: Uint8Array | undefined,
): { readonly counters: BoxCounters; readonly epoch: number; readonly next: number } | undefined {
  if (bytes === undefined || bytes.length !== COUNTERS_BYTES) return undefined;
  const view = viewOf(bytes);
  const next = view.getUint32(4);
  const flags = view.getUint8(14);
  return {
    epoch: view.getUint32(0),
    next: next === 0 ? 0x1_0000_0000 : next,
    counters: {
      boot: view.getUint16(8),
      connection: view.getUint32(10),
      workshop: (flags & 1) !== 0,
      network: view.getUint32(15),
      answeredFloorMs: view.getFloat64(19),
    },
  };
}

export function clockPage(clock: BoxClock): Uint8Array {
  const view = new DataView(new ArrayBuffer(CLOCK_BYTES));
  view.setFloat64(0, clock.earlyMs);
  view.setFloat64(8, clock.lateMs);
  view.setFloat64(16, clock.learnedCounterMs);
  return new Uint8Array(view.buffer);
}

export function readClock(bytes: Uint8Array | undefined): BoxClock | undefined {
  if (bytes === undefined || bytes.length !== CLOCK_BYTES) return undefined;
  const view = viewOf(bytes);
  return { earlyMs: view.getFloat64(0), lateMs: view.getFloat64(8), learnedCounterMs: view.getFloat64(16) };
}

export function settingsPage(configuration: BoxConfiguration): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 + SETTINGS.length * 6));
  view.setUint32(0, configuration.revision);
  for (const [index, row] of SETTINGS.entries()) {
    view.setUint16(4 + index * 6, row.code);
    view.setUint32(6 + index * 6, configuration.values[row.name]);
  }
  return new Uint8Array(view.buffer);
}

/** A setting that the page does not contain (an older firmware wrote it) has its standard value. */
export function readSettings(bytes: Uint8Array | undefined): BoxConfiguration | undefined {
  if (bytes === undefined || bytes.length < 4 || (bytes.length - 4) % 6 !== 0) return undefined;
  const view = viewOf(bytes);
  const values = standardSettings();
  for (let offset = 4; offset < bytes.length; offset += 6) {
    const row = SETTINGS.find((one) => one.code === view.getUint16(offset));
    if (row !== undefined) values[row.name] = view.getUint32(offset + 2);
  }
  return { revision: view.getUint32(0), values };
}

/** Every setting at its standard value. */
export function standardSettings(): Record<SettingName, number> {
  const values = {} as Record<SettingName, number>;
  for (const row of SETTINGS) values[row.name] = row.standard;
  return values;
}

export function calibratedPage(activation: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, activation);
  return new Uint8Array(view.buffer);
}

/** The activation that was calibrated last; 0: none. */
export function readCalibrated(bytes: Uint8Array | undefined): number {
  return bytes === undefined || bytes.length !== 4 ? 0 : viewOf(bytes).getUint32(0);
}

export function intentPage(intent: CommandIntent): Uint8Array {
  const { before } = intent;
  const view = new DataView(new ArrayBuffer(INTENT_BYTES + (before === undefined ? 0 : 2)));
  view.setFloat64(0, intent.expiresMs);
  view.setUint8(8, intent.commandCode);
  writeText(view, 9, intent.requestId);
  if (before !== undefined) {
    view.setUint8(INTENT_BYTES, before.length | (intent.isAccess === true ? OF_ACCESS : 0));
    view.setUint8(
      INTENT_BYTES + 1,
      before.reduce((bits, one, index) => bits | (one ? 1 << index : 0), 0),
    );
  }
  return new Uint8Array(view.buffer);
}

export function readIntent(bytes: Uint8Array | undefined): CommandIntent | undefined {
  if (bytes === undefined || (bytes.length !== INTENT_BYTES && bytes.length !== INTENT_BYTES + 2)) {
    return undefined;
  }
  const view = viewOf(bytes);
  const [marks, bits] = bytes.subarray(INTENT_BYTES);
  const count = marks === undefined ? undefined : marks & ~OF_ACCESS;
  const before =
    count === undefined
      ? undefined
      : Array.from({ length: count }, (_one, index) => (((bits ?? 0) >> index) & 1) === 1);
  return {
    expiresMs: view.getFloat64(0),
    commandCode: view.getUint8(8),
    requestId: String.fromCharCode(...bytes.subarray(9, INTENT_BYTES)),
    ...(before === undefined ? {} : { before }),
    ...(((marks ?? 0) & OF_ACCESS) === 0 ? {} : { isAccess: true }),
  };
}

export function answeredPage(answered: AnsweredRequest): Uint8Array {
  const page = new Uint8Array(12 + answered.bytes.length);
  const view = viewOf(page);
  view.setFloat64(0, answered.expiresMs);
  view.setUint32(8, answered.sequence);
  page.set(answered.bytes, 12);
  return page;
}

export function readAnswered(key: string, bytes: Uint8Array): AnsweredRequest | undefined {
  if (!key.startsWith('a/') || bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  return {
    requestId: key.slice(2),
    expiresMs: view.getFloat64(0),
    sequence: view.getUint32(8),
    bytes: bytes.slice(12),
  };
}

export function recordPage(entry: JournalEntry): Uint8Array {
  const page = new Uint8Array(2 + entry.bytes.length);
  page[0] = ENTRY_CLASSES.indexOf(entry.entryClass);
  page[1] = entry.wasUnreadable ? 1 : 0;
  page.set(entry.bytes, 2);
  return page;
}

export function readRecord(key: string, bytes: Uint8Array): JournalEntry | undefined {
  if (!/^j\/[0-9a-f]{8}$/.test(key) || bytes.length < 2) return undefined;
  const entryClass = ENTRY_CLASSES[bytes[0] ?? ENTRY_CLASSES.length];
  if (entryClass === undefined) return undefined;
  const sequence = Number.parseInt(key.slice(2), 16);
  const frame = bytes.slice(2);
  const tombstone = entryClass === 'tombstone' ? tombstoneOf(frame) : undefined;
  return {
    sequence,
    entryClass,
    bytes: frame,
    wasUnreadable: bytes[1] === 1,
    ...(tombstone === undefined ? {} : { tombstone }),
  };
}

function tombstoneOf(frame: Uint8Array): Tombstone | undefined {
  const message = decodePayload(frame).frames[0]?.frame.message;
  return message?.kind === 'tombstone' ? message : undefined;
}

function writeText(view: DataView, offset: number, text: string): void {
  for (let index = 0; index < text.length; index++)
    view.setUint8(offset + index, text.charCodeAt(index) & 0x7f);
}
