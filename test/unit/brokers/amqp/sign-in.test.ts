import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmqpWriter, tableOf } from '../../../../brokers/amqp/codec/fields.ts';
import { isMechanism, MECHANISMS, readCredentials } from '../../../../brokers/amqp/sign-in.ts';

/** A field table without the length in front of it. */
function amqplain(values: Parameters<typeof tableOf>[0]): Uint8Array {
  const writer = new AmqpWriter();
  writer.table(tableOf(values));
  return writer.done().subarray(4);
}

const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0'));
const password = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));

describe('the response of a sign-in', () => {
  test('any user and password are read from both mechanisms, whatever else an AMQPLAIN table has', () => {
    fc.assert(
      fc.property(name, password, fc.boolean(), (username, secret, isFirst) => {
        const plain = Buffer.from(`\0${username}\0${secret}`);
        expect(readCredentials('PLAIN', plain)).toEqual({ username, password: secret });
        const more = { other: 1, capabilities: tableOf({ x: true }) };
        const fields = { LOGIN: username, PASSWORD: secret };
        const table = amqplain(isFirst ? { ...fields, ...more } : { ...more, ...fields });
        expect(readCredentials('AMQPLAIN', table)).toEqual({ username, password: secret });
      }),
    );
  });

  test('any bytes are credentials or none, by either mechanism', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('PLAIN', 'AMQPLAIN'), (response, mechanism) => {
        const found = readCredentials(mechanism, response);
        if (found !== undefined) expect(found.username).not.toBe('');
      }),
    );
  });

  test('a table that is cut off anywhere has no credentials', () => {
    const whole = amqplain({ LOGIN: 'guest', PASSWORD: 'secret' });
    for (let length = 0; length < whole.length; length++)
      expect(readCredentials('AMQPLAIN', whole.subarray(0, length))).toBeUndefined();
  });

  test.each([
    ['no password', amqplain({ LOGIN: 'guest' })],
    ['no user', amqplain({ PASSWORD: 'guest' })],
    ['an empty user', amqplain({ LOGIN: '', PASSWORD: 'guest' })],
    ['a password that is a number', amqplain({ LOGIN: 'guest', PASSWORD: 1 })],
  ])('AMQPLAIN with %s has no credentials', (_, response) => {
    expect(readCredentials('AMQPLAIN', response)).toBeUndefined();
  });

  test('PLAIN and AMQPLAIN are the mechanisms, and no word of JavaScript is one', () => {
    expect(MECHANISMS).toBe('PLAIN AMQPLAIN');
    for (const word of ['EXTERNAL', 'constructor', 'toString', '__proto__', '']) {
      expect(isMechanism(word)).toBe(false);
      expect(readCredentials(word, Buffer.from('\0guest\0guest'))).toBeUndefined();
    }
  });
});
