import type { CommandName } from './commands.ts';
import { ulidBytes } from './ulid.ts';

/**
 * The actions that a phone near the vehicle can request from its box, one row each: the code on the wire,
 * which is also the number of its bit in a token (never reused), and the equivalent command.
 */
export const BLUETOOTH_ACTIONS = [
  { name: 'unlock', code: 1, command: 'unlock-central-lock' },
  { name: 'lock', code: 2, command: 'lock-central-lock' },
  { name: 'unlock-and-enable-driving', code: 3, command: 'unlock-and-enable-driving' },
  { name: 'lock-and-disable-driving', code: 4, command: 'lock-and-disable-driving' },
  { name: 'enable-driving', code: 5, command: 'enable-driving' },
  { name: 'disable-driving', code: 6, command: 'disable-driving' },
  { name: 'unlock-top-case', code: 7, command: 'unlock-top-case' },
  { name: 'lock-top-case', code: 8, command: 'lock-top-case' },
] as const satisfies readonly BluetoothActionRow[];

export interface BluetoothActionRow {
  readonly name: string;
  readonly code: number;
  readonly command: CommandName;
}

export type BluetoothAction = (typeof BLUETOOTH_ACTIONS)[number]['name'];

/** The content of a token. */
export interface BluetoothToken {
  /** ULID */
  readonly id: string;
  /** The box that accepts it, 16 hex digits. */
  readonly boxId: string;
  readonly allows: readonly BluetoothAction[];
  /** How often it may be used, 1 to `MOST_USES`. */
  readonly uses: number;
  /** Backend time, epoch milliseconds: afterwards the token is invalid. */
  readonly expiresMs: number;
}

/** 16 bits. */
export const MOST_USES = 0xffff;

/**
 * The text that is signed: `bt1.<id>.<box id>.<rights>.<uses>.<expiry>`, rights as two hex digits (bit n-1:
 * the action of code n), uses and expiry in decimal. The token is this text, a full stop, and the 64 hex
 * digits of its HMAC-SHA-256 under the box's own secret, which signs nothing else.
 */
export function bluetoothTokenText({ id, boxId, allows, uses, expiresMs }: BluetoothToken): string {
  const bits = BLUETOOTH_ACTIONS.reduce(
    (sum, row) => sum | (allows.includes(row.name) ? 1 << (row.code - 1) : 0),
    0,
  );
  const rights = bits.toString(16).padStart(2, '0');
  return `bt1.${id}.${boxId}.${rights}.${uses}.${expiresMs}`;
}

const FORM =
  /^(bt1\.([0-9A-Z]{26})\.([0-9a-f]{16})\.([0-9a-f]{2})\.([1-9]\d{0,4})\.([1-9]\d{0,14}))\.([0-9a-f]{64})$/;

/** A parsed token; its HMAC is not yet checked. */
export interface PresentedToken {
  readonly token: BluetoothToken;
  /** The text to be signed, and the HMAC from the token. */
  readonly text: string;
  readonly mac: string;
}

/** Parses a token. Undefined if it is not in the one valid form. */
export function readBluetoothToken(whole: string): PresentedToken | undefined {
  const match = FORM.exec(whole);
  if (match === null) return undefined;
  const [, text = '', id = '', boxId = '', rights = '', uses = '', expires = '', mac = ''] = match;
  if (ulidBytes(id) === undefined || Number(uses) > MOST_USES) return undefined;
  const bits = Number.parseInt(rights, 16);
  const allows = BLUETOOTH_ACTIONS.flatMap((row) => ((bits >> (row.code - 1)) & 1 ? [row.name] : []));
  return { token: { id, boxId, allows, uses: Number(uses), expiresMs: Number(expires) }, text, mac };
}
