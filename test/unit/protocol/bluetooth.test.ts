import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BLUETOOTH_ACTIONS,
  type BluetoothToken,
  bluetoothTokenText,
  MOST_USES,
  readBluetoothToken,
} from '../../../protocol/bluetooth.ts';
import { ulidText } from '../../../protocol/ulid.ts';
import { keyedMac } from '../../../world/crypto/mac.ts';
import { anyCharacter } from '../../support/run/any-character.ts';

const SECRET = 'the secret of this box';
const names = BLUETOOTH_ACTIONS.map((row) => row.name);

const anyToken: fc.Arbitrary<BluetoothToken> = fc.record(
  {
    id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => ulidText(bytes, 0)),
    boxId: fc.stringMatching(/^[0-9a-f]{16}$/),
    allows: fc.subarray(names, { minLength: 1 }),
    uses: fc.integer({ min: 1, max: MOST_USES }),
    expiresMs: fc.integer({ min: 1, max: 0xffff_ffff_ffff }),
  },
  { noNullPrototype: true },
);

const signed = (token: BluetoothToken): string => {
  const text = bluetoothTokenText(token);
  return `${text}.${keyedMac.mac(SECRET, text)}`;
};

/** The token as a box accepts it: if its form is valid and it was signed with the box's secret. */
const accepted = (whole: string): BluetoothToken | undefined => {
  const read = readBluetoothToken(whole);
  return read !== undefined && keyedMac.verifyMac(SECRET, read.text, read.mac) ? read.token : undefined;
};

describe('a Bluetooth token', () => {
  test('contains the values it was made with', () => {
    fc.assert(
      fc.property(anyToken, (token) => {
        expect(accepted(signed(token))).toEqual(token);
      }),
    );
  });

  test('is invalid once any one character is changed, missing or doubled', () => {
    fc.assert(
      fc.property(anyToken, fc.integer({ min: 1, max: 0x7f }), (token, bits) => {
        const whole = signed(token);
        for (let at = 0; at < whole.length; at += 1) {
          const [before, after] = [whole.slice(0, at), whole.slice(at + 1)];
          const other = String.fromCharCode(whole.charCodeAt(at) ^ bits);
          const capital = whole.charAt(at).toUpperCase();
          const changed = [
            `${before}${other}${after}`,
            `${before}${after}`,
            `${before}${other}${whole.slice(at)}`,
          ];
          if (capital !== whole.charAt(at)) changed.push(`${before}${capital}${after}`);
          for (const one of changed) expect(accepted(one), `${one} for ${whole}`).toBeUndefined();
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is invalid under another secret, and with the HMAC of another token', () => {
    fc.assert(
      fc.property(anyToken, anyToken, fc.string({ minLength: 1 }), (token, other, secret) => {
        fc.pre(secret !== SECRET && bluetoothTokenText(token) !== bluetoothTokenText(other));
        const text = bluetoothTokenText(token);
        expect(accepted(`${text}.${keyedMac.mac(secret, text)}`)).toBeUndefined();
        expect(accepted(`${text}.${keyedMac.mac(SECRET, bluetoothTokenText(other))}`)).toBeUndefined();
      }),
    );
  });

  test('is not recognised in any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: anyCharacter })), (text) => {
        expect(readBluetoothToken(text)).toBeUndefined();
        expect(readBluetoothToken(`bt1.${text}`)).toBeUndefined();
      }),
    );
  });

  test('with too many uses, or an id that is not a ULID, is not recognised', () => {
    const right: BluetoothToken = {
      id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      boxId: '0123456789abcdef',
      allows: ['unlock'],
      uses: 1,
      expiresMs: 1,
    };
    expect(accepted(signed(right))).toEqual(right);
    expect(readBluetoothToken(signed({ ...right, uses: MOST_USES + 1 }))).toBeUndefined();
    expect(readBluetoothToken(signed({ ...right, uses: 0 }))).toBeUndefined();
    expect(readBluetoothToken(signed({ ...right, id: '81ARZ3NDEKTSV4RRFFQ69G5FAV' }))).toBeUndefined();
  });
});

test('every action has its own bit in a byte, and its own command', () => {
  for (const { code } of BLUETOOTH_ACTIONS) expect(code >= 1 && code <= 8).toBe(true);
  for (const of of ['name', 'code', 'command'] as const) {
    expect(new Set(BLUETOOTH_ACTIONS.map((row) => row[of])).size).toBe(BLUETOOTH_ACTIONS.length);
  }
});
