import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientBehind } from '../../../../deployment/http/http-server.ts';

const addresses = fc.oneof(fc.ipV4(), fc.ipV6());
const anyHeader = fc.oneof(
  fc.constant(null),
  fc.string(),
  fc.array(addresses).map((list) => list.join(', ')),
);

describe('the address of a client', () => {
  test('is that of its connection where no proxy is trusted, whatever the header says', () => {
    fc.assert(
      fc.property(addresses, anyHeader, (peer, header) => {
        expect(clientBehind([])(peer, header)).toBe(peer);
      }),
    );
  });

  test('is that of its connection where it comes from elsewhere than the trusted proxies', () => {
    fc.assert(
      fc.property(anyHeader, (header) => {
        expect(clientBehind(['10.0.0.0/8', 'fd00::/8'])('192.0.2.7', header)).toBe('192.0.2.7');
      }),
    );
  });

  test('is the last one that no trusted proxy has, and not what a client wrote itself', () => {
    const clientOf = clientBehind(['10.0.0.0/8', '::1']);
    expect(clientOf('10.1.2.3', '198.51.100.9')).toBe('198.51.100.9');
    expect(clientOf('10.1.2.3', '203.0.113.1, 198.51.100.9, 10.9.9.9')).toBe('198.51.100.9');
    expect(clientOf('::1', '2001:db8::5')).toBe('2001:db8::5');
    expect(clientOf('::ffff:10.1.2.3', '198.51.100.9')).toBe('198.51.100.9');
  });

  test('is that of the outermost trusted proxy where the list holds nothing else that is an address', () => {
    const clientOf = clientBehind(['10.0.0.0/8']);
    expect(clientOf('10.1.2.3', 'unknown')).toBe('10.1.2.3');
    expect(clientOf('10.1.2.3', 'unknown, 10.4.4.4')).toBe('10.4.4.4');
    expect(clientOf('10.1.2.3', '')).toBe('10.1.2.3');
    expect(clientOf('10.1.2.3', null)).toBe('10.1.2.3');
    expect(clientOf(undefined, '198.51.100.9')).toBeUndefined();
  });

  test('never comes from a text that is none', () => {
    fc.assert(
      fc.property(anyHeader, (header) => {
        const client = clientBehind(['0.0.0.0/0', '::/0'])('192.0.2.7', header) ?? '';
        expect(client).toMatch(/^[0-9a-f.:]+$/i);
      }),
    );
  });
});
