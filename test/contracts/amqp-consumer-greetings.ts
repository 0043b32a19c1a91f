import type { Greeting } from '../support/amqp/raw-amqp-client.ts';
import type { Difference } from './amqp-consumer-differences.ts';

/** A handshake, and the last answer of the broker. */
export interface GreetingRow {
  readonly name: string;
  readonly greeting: Greeting;
  readonly says: string;
  readonly embedded?: { readonly says: string; readonly because: Difference };
}

const LOGIN =
  'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.';
const OURS = 'header 65,77,81,80,0,0,9,1, nothing, and hangs up';
const SILENT = 'nothing, and hangs up';

const told = (says: string, because: Difference = 'told-at-once') => ({ says, because });
const tune = (reason: string) => told(`connection 530 NOT_ALLOWED - negotiated ${reason} (10.31)`);

export const GREETINGS: readonly GreetingRow[] = [
  { name: 'the right way', greeting: {}, says: 'connection.open-ok' },
  { name: 'HTTP', greeting: { header: Buffer.from('GET / HTTP/1.1\r\n\r\n') }, says: OURS },
  { name: 'AMQP 1.0', greeting: { header: Buffer.from('AMQP\0\u0001\0\0') }, says: OURS },
  { name: 'AMQP with TLS', greeting: { header: Buffer.from('AMQP\u0002\u0001\0\0') }, says: OURS },
  { name: 'AMQP 0-8 of 2006', greeting: { header: Buffer.from('AMQP\0\0\u0008\0') }, says: OURS },
  {
    name: 'AMQP 0-9 of 2006',
    greeting: { header: Buffer.from('AMQP\u0001\u0001\0\u0009') },
    says: 'connection.open-ok',
  },
  {
    name: 'AMQP 0-9-1 in the form of 0-9',
    greeting: { header: Buffer.from('AMQP\u0001\u0001\u0009\u0001') },
    says: 'connection.open-ok',
  },
  {
    name: 'a wrong password',
    greeting: { response: '\0guest\0wrong' },
    says: `connection 403 ${LOGIN} (0.0)`,
  },
  {
    name: 'an unknown user',
    greeting: { response: '\0nobody\0wrong' },
    says: `connection 403 ${LOGIN} (0.0)`,
  },
  {
    name: 'a wrong password of a client that does not know of refusals',
    greeting: { response: '\0guest\0wrong', capabilities: [] },
    says: SILENT,
  },
  {
    name: 'a response without a password',
    greeting: { response: '\0guest' },
    says: SILENT,
    embedded: told(`connection 403 ${LOGIN} (0.0)`),
  },
  {
    name: 'one user who acts for another',
    greeting: { response: 'other\0guest\0guest' },
    says: SILENT,
    embedded: told(`connection 403 ${LOGIN} (0.0)`),
  },
  {
    name: 'a mechanism that nobody knows',
    greeting: { mechanism: 'SPELL' },
    says: SILENT,
    embedded: told("connection 503 COMMAND_INVALID - unknown authentication mechanism 'SPELL' (10.11)"),
  },
  {
    name: 'AMQPLAIN',
    greeting: {
      mechanism: 'AMQPLAIN',
      response: '\u0005LOGINS\0\0\0\u0005guest\u0008PASSWORDS\0\0\0\u0005guest',
    },
    says: 'connection.open-ok',
  },
  {
    name: 'AMQPLAIN with a wrong password',
    greeting: {
      mechanism: 'AMQPLAIN',
      response: '\u0005LOGINS\0\0\0\u0005guest\u0008PASSWORDS\0\0\0\u0005wrong',
    },
    says: `connection 403 ${LOGIN.replace('PLAIN', 'AMQPLAIN')} (0.0)`,
  },
  {
    name: 'AMQPLAIN without a password',
    greeting: { mechanism: 'AMQPLAIN', response: '\u0005LOGINS\0\0\0\u0005guest' },
    says: SILENT,
    embedded: told(`connection 403 ${LOGIN.replace('PLAIN', 'AMQPLAIN')} (0.0)`),
  },
  {
    name: 'AMQPLAIN with a table that ends too early',
    greeting: { mechanism: 'AMQPLAIN', response: '\u0005LOGINS\0\0\0\u0009guest' },
    says: SILENT,
    embedded: told(`connection 403 ${LOGIN.replace('PLAIN', 'AMQPLAIN')} (0.0)`),
  },
  {
    name: 'a virtual host that is not there',
    greeting: { virtualHost: 'nope' },
    says: 'connection 530 NOT_ALLOWED - vhost nope not found (10.40)',
  },
  {
    name: 'a frame_max below the lowest',
    greeting: { frameMax: 4_095 },
    says: SILENT,
    embedded: tune('frame_max = 4095 is lower than the minimum allowed value (4096)'),
  },
  { name: 'the lowest frame_max', greeting: { frameMax: 4_096 }, says: 'connection.open-ok' },
  {
    name: 'a frame_max above the proposed',
    greeting: { frameMax: 131_073 },
    says: SILENT,
    embedded: tune('frame_max = 131073 is higher than the maximum allowed value (131072)'),
  },
  {
    name: 'no bound of frames',
    greeting: { frameMax: 0 },
    says: SILENT,
    embedded: tune('frame_max = no limit (0) is higher than the maximum allowed value (131072)'),
  },
  {
    name: 'no bound of channels',
    greeting: { channelMax: 0 },
    says: SILENT,
    embedded: tune('channel_max = no limit (0) is higher than the maximum allowed value (255)'),
  },
  {
    name: '256 channels',
    greeting: { channelMax: 256 },
    says: 'connection.open-ok',
    embedded: told(
      'connection 530 NOT_ALLOWED - negotiated channel_max = 256 is higher than the maximum allowed value (255) (10.31)',
      'channel-bound',
    ),
  },
  {
    name: '60,000 channels',
    greeting: { channelMax: 60_000 },
    says: SILENT,
    embedded: tune('channel_max = 60000 is higher than the maximum allowed value (255)'),
  },
];
