import type { Message } from './message.ts';

/**
 * One row for each kind of message: its byte in the envelope, its direction, and whether the journal keeps
 * it.
 */
export interface MessageKindRow {
  readonly name: Message['kind'];
  /** Bit 7 is set in kinds from backend to box. Never reused. */
  readonly code: number;
  readonly direction: 'up' | 'down';
  /** Kept in the journal: its sequence counts from 1. All other kinds have sequence 0. */
  readonly kept: boolean;
}

export const MESSAGE_KINDS = [
  { name: 'report', code: 0x01, direction: 'up', kept: true },
  { name: 'heartbeat', code: 0x02, direction: 'up', kept: true },
  { name: 'event', code: 0x03, direction: 'up', kept: true },
  { name: 'reply', code: 0x04, direction: 'up', kept: true },
  { name: 'tombstone', code: 0x05, direction: 'up', kept: true },
  { name: 'access', code: 0x06, direction: 'up', kept: true },
  { name: 'hello', code: 0x10, direction: 'up', kept: false },
  { name: 'going-down', code: 0x11, direction: 'up', kept: false },
  { name: 'ready', code: 0x12, direction: 'up', kept: false },
  { name: 'birth', code: 0x13, direction: 'up', kept: false },
  { name: 'gone', code: 0x14, direction: 'up', kept: false },
  { name: 'receipt', code: 0x80, direction: 'down', kept: false },
  { name: 'command', code: 0x81, direction: 'down', kept: false },
  { name: 'configuration', code: 0x82, direction: 'down', kept: false },
  { name: 'unreadable', code: 0x83, direction: 'down', kept: false },
  { name: 'resend', code: 0x84, direction: 'down', kept: false },
] as const satisfies readonly MessageKindRow[];

export type MessageKindName = (typeof MESSAGE_KINDS)[number]['name'];

const byName: ReadonlyMap<string, MessageKindRow> = new Map(MESSAGE_KINDS.map((row) => [row.name, row]));
const byCode: ReadonlyMap<number, MessageKindRow> = new Map(MESSAGE_KINDS.map((row) => [row.code, row]));

/** The row of a code on the wire, or undefined if the code is unknown. */
export function kindOfCode(code: number): MessageKindRow | undefined {
  return byCode.get(code);
}

/** The row of a message. */
export function kindOf(message: Message): MessageKindRow {
  return byName.get(message.kind) ?? MESSAGE_KINDS[0];
}
