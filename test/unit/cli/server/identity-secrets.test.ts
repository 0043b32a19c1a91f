import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serviceAccount } from '../../../../cli/server/identity-secrets.ts';

test('the account in the URL of a broker is that of the service, whatever characters it has', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (username, password) => {
      const account = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
      expect(serviceAccount(`mqtt://${account}@broker:1883`, 'own')).toEqual({ username, password });
    }),
  );
});

test('without one the service has its own name and the password of the data directory', () => {
  for (const url of ['mqtt://broker:1883', 'embedded'])
    expect(serviceAccount(url, 'own')).toEqual({ username: 'backend', password: 'own' });
});

test('a per cent sign that encodes nothing is taken as it stands', () => {
  expect(serviceAccount('mqtt://one:100%@broker', 'own')).toEqual({ username: 'one', password: '100%' });
});
