import { describe, expect, test } from 'vitest';
import { readAddress } from '../../../../../backend/store/postgres/address.ts';

const bare = { hasAuthority: false };
const withAuthority = { hasAuthority: true };

describe('the address of a database', () => {
  test('is read with its parts, and the standard port', () => {
    expect(readAddress('postgres://ann:s%40fe%3A1@db.example/fleet', bare)).toEqual({
      address: {
        host: 'db.example',
        port: 5432,
        user: 'ann',
        password: 's@fe:1',
        database: 'fleet',
        tls: 'disable',
        shown: 'postgres://db.example:5432/fleet',
      },
    });
  });

  test.each([
    ['postgresql://ann@127.0.0.1:6000/fleet', { host: '127.0.0.1', port: 6000, password: undefined }],
    ['postgres://ann@[::1]/fleet', { host: '::1', shown: 'postgres://[::1]:5432/fleet' }],
    ['postgres://ann@%2Fvar%2Frun%2Fpostgresql/fleet', { host: '/var/run/postgresql' }],
    ['postgres://ann@db.example/fl%C3%B6te', { database: 'flöte' }],
  ])('%s is read', (url, parts) => {
    expect(readAddress(url, bare)).toMatchObject({ address: parts });
  });

  test('has TLS that is checked in full where the authority is given, and otherwise as sslmode says', () => {
    const tlsOf = (mode: string, known = bare): unknown => {
      const read = readAddress(`postgres://ann@db.example/fleet${mode}`, known);
      return 'address' in read ? read.address.tls : read.refusal;
    };
    expect(tlsOf('')).toBe('disable');
    expect(tlsOf('', withAuthority)).toBe('verify-full');
    expect(tlsOf('?sslmode=require')).toBe('require');
    expect(tlsOf('?sslmode=verify-ca', withAuthority)).toBe('verify-ca');
    expect(tlsOf('?sslmode=verify-full')).toBe('verify-full');
    expect(tlsOf('?sslmode=disable', withAuthority)).toContain('would not be asked');
    expect(tlsOf('?sslmode=require', withAuthority)).toContain('would not be asked');
    expect(tlsOf('?sslmode=prefer')).toContain('its sslmode is prefer');
  });

  test.each([
    ['', 'cannot be read'],
    ['not a url', 'cannot be read'],
    ['postgres://ann:hidden@db.example:port/fleet', 'cannot be read'],
    ['postgres://ann:hidden@one:5432,other:5432/fleet', 'cannot be read'],
    ['mysql://ann:hidden@db.example/fleet', 'begins with mysql://'],
    ['postgres://db.example/fleet', 'names no user'],
    ['postgres://ann:hidden@/fleet', 'cannot be read'],
    ['postgres://ann:hidden@db.example', 'names no database'],
    ['postgres://ann:hidden@db.example/', 'names no database'],
    ['postgres://ann:hidden@db.example/a/b', 'names no database'],
    ['postgres://ann:hidden%@db.example/fleet', 'two hexadecimal digits'],
    ['postgres://ann:hidden@db.example/fleet?pool=3', 'parameter pool'],
  ])('%s is refused with the reason and the form, without the password', (url, reason) => {
    const read = readAddress(url, bare);
    const refusal = 'refusal' in read ? read.refusal : 'accepted';
    expect(refusal).toContain(reason);
    expect(refusal).toContain('postgres://user:password@host:5432/database');
    expect(refusal).not.toContain('hidden');
  });
});
