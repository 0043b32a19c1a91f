import { describe, expect, test } from 'vitest';
import { judgeAdmin, judgeAmqp, judgeMqtt } from '../../../../deployment/checks/broker-judges.ts';

const address = 'mqtt://service@broker:1883';
const facts = { address, username: 'service', isAccountKnown: true };

describe('an MQTT broker', () => {
  test('that takes the sign-in is well', () => {
    expect(judgeMqtt({ ...facts, fault: undefined }).verdict).toBe('ok');
  });

  test.each([
    [1, 'MQTT 3.1.1'],
    [2, 'client ids'],
    [3, 'log'],
    [4, 'mqtt://user:password@host'],
    [5, 'Permit the account'],
    [135, 'log'],
  ])('that answers with %d has failed, with the number and what to do', (code, todo) => {
    const judgement = judgeMqtt({ ...facts, fault: { code, words: 'Connection refused' } });
    expect(judgement).toMatchObject({
      verdict: 'failed',
      text: expect.stringContaining(`reason code ${code}`),
      remedy: expect.stringContaining(todo),
    });
  });

  test.each([
    ['ENOTFOUND', 'host name'],
    ['ECONNREFUSED', 'Start the broker'],
    [undefined, 'Start the broker'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'name that the certificate'],
    ['CERT_HAS_EXPIRED', 'Renew'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', '--mqtt-ca FILE'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '--mqtt-ca FILE'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'mqtt:// for a port without TLS'],
  ])('that is not reached because of %s has failed, with what to do', (code, todo) => {
    const judgement = judgeMqtt({ ...facts, fault: { code, words: 'it did not work' } });
    expect(judgement).toMatchObject({ verdict: 'failed', remedy: expect.stringContaining(todo) });
    expect(judgement.text).toContain(address);
  });

  test('that refuses an account that is not known yet is told apart', () => {
    const fault = { code: 5, words: 'Not authorized' };
    expect(judgeMqtt({ ...facts, isAccountKnown: false, fault }).text).toContain('without a password');
  });
});

test.each([
  [judgeAmqp, '--amqp;'],
  [judgeAdmin, '--amqp-admin;'],
])(
  'what cannot be reached now has failed, with its option; what is refused keeps its own remedy',
  (judge, option) => {
    const there = { address: 'host', fault: undefined };
    expect(judge(there).verdict).toBe('ok');
    const away = judge({ ...there, fault: { text: 'host is away.', todo: undefined } });
    expect(away).toMatchObject({ verdict: 'failed', text: expect.stringContaining('host is away.') });
    expect(away.remedy).toContain(option);
    const refused = judge({ ...there, fault: { text: 'No.', todo: 'Ask.' } });
    expect(refused).toEqual({ verdict: 'failed', text: 'No.', remedy: 'Ask.' });
  },
);
