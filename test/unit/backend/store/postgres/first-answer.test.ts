import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { speakerOf } from '../../../../../backend/store/postgres/first-answer.ts';
import { mysqlGreeting } from '../../../../support/sockets/mysql-greeting.ts';

/** A message of PostgreSQL. */
function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function request(kind: number, rest = ''): Buffer {
  const body = Buffer.alloc(4);
  body.writeUInt32BE(kind);
  return message('R', Buffer.concat([body, Buffer.from(rest)]));
}

const FAILURE = 'SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0';

describe('by its first bytes', () => {
  test.each([
    ['that lets everybody in', Buffer.concat([request(0), message('S', Buffer.from('TimeZone\0UTC\0'))])],
    ['that asks for a password', request(3)],
    ['that asks for a hashed password', request(5, 'salt')],
    ['that asks for SASL', request(10, 'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0')],
    ['that refuses', message('E', Buffer.from(FAILURE))],
    ['that has a notice before', message('N', Buffer.from(FAILURE))],
  ])('a server of PostgreSQL %s is known', (_name, bytes) => {
    expect(speakerOf(bytes)).toBe('PostgreSQL');
  });

  test.each([
    ['of an older protocol', 'EFATAL: unsupported protocol\0'],
    ['of SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['of the web', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['of Redis', '-ERR unknown command\r\n'],
    ['that asks for what nobody knows', request(99).toString('latin1')],
  ])('one %s is known as another', (_name, text) => {
    expect(speakerOf(Buffer.from(text, 'latin1'))).toBe('other');
  });

  test('a server of MySQL or MariaDB is known, whatever its version is called', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x20-\x7e]{0,200}$/), (version) => {
        expect(speakerOf(mysqlGreeting(version))).toBe('MySQL');
      }),
    );
  });

  test('one of MySQL that lets nobody in from here is known', () => {
    const refusal = Buffer.from(
      "\xff\x6a\x04Host '10.0.0.1' is not allowed to connect to this server",
      'latin1',
    );
    expect(speakerOf(Buffer.concat([Buffer.from([refusal.length, 0, 0, 0]), refusal]))).toBe('MySQL');
  });

  test('any bytes are somebody, and more of them never say otherwise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: 40 }), (bytes, count) => {
        const early = speakerOf(bytes.subarray(0, count));
        expect([undefined, 'PostgreSQL', 'MySQL', 'other']).toContain(early);
        if (early !== undefined) expect(speakerOf(bytes)).toBe(early);
        if (bytes.length >= 9) expect(speakerOf(bytes)).toBeDefined();
      }),
    );
  });
});
