import type { BrokerFault } from '../brokers/given-amqp.ts';
import { failed, type Judgement, ok } from './check.ts';

export interface MqttFacts {
  /** Without a password. */
  readonly address: string;
  /** The account that signed in. */
  readonly username: string;
  /** The service would sign in with the same password. */
  readonly isAccountKnown: boolean;
  readonly fault:
    | {
        /** A number: the broker's return code (MQTT 3.1.1 section 3.2.2.3). A text: of the socket, or of TLS. */
        readonly code: number | string | undefined;
        readonly words: string;
      }
    | undefined;
}

/** The remedy, by the broker's answer to a CONNECT. */
const ANSWERS: ReadonlyMap<number, string> = new Map([
  [1, 'Have it take MQTT 3.1.1, which this boxtwin speaks.'],
  [2, 'Have it take client ids of 14 characters and more.'],
  [3, 'It runs and refuses connections: check its log, and try again.'],
  [4, 'Give the account of the service, percent-encoded, as mqtt://user:password@host.'],
  [5, 'Permit the account of the service at the broker, or give another one as mqtt://user:password@host.'],
]);

/** The remedy, by the error of the socket or the TLS handshake. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'Mend the host name in --mqtt.'],
  [/ALTNAME_INVALID/, 'Use a name that the certificate of the broker holds.'],
  [/CERT_HAS_EXPIRED/, 'Renew the certificate at the broker.'],
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED/,
    'Give the certificate authority of the broker with --mqtt-ca FILE.',
  ],
  [/EPROTO|WRONG_VERSION|ERR_SSL/, 'Write mqtt:// for a port without TLS; mqtts usually is at port 8883.'],
];

const START = 'Start the broker, or mend host and port in --mqtt; mqtt usually is at 1883, mqtts at 8883.';

/** Whether the service gets its session at the MQTT broker. */
export function judgeMqtt({ address, username, isAccountKnown, fault }: MqttFacts): Judgement {
  if (fault === undefined) return ok(`${address} takes the sign-in of ${username}.`);
  const { code, words } = fault;
  if (typeof code !== 'number') {
    const row = FAULTS.find(([pattern]) => pattern.test(`${code ?? ''} ${words}`));
    return failed(`${address} cannot be reached (--mqtt): ${words}`, row?.[1] ?? START);
  }
  const asWhom = isAccountKnown ? username : `${username} without a password: the first start makes one`;
  return failed(
    `${address} refuses the sign-in of ${asWhom} (--mqtt, reason code ${code}): ${words}`,
    ANSWERS.get(code) ?? 'Look at the log of the broker.',
  );
}

/** Whether the service can publish at the AMQP broker. */
export function judgeAmqp({
  address,
  fault,
}: {
  readonly address: string;
  readonly fault: BrokerFault | undefined;
}): Judgement {
  if (fault === undefined) return ok(`${address} takes the sign-in.`);
  if (fault.todo !== undefined) return failed(fault.text, fault.todo);
  return failed(
    `No broker can be reached at ${fault.text}`,
    'Start the broker, or mend host and port in --amqp; amqp usually is at 5672, amqps at 5671.',
  );
}

/** Whether the service can create users at the AMQP broker. */
export function judgeAdmin({
  address,
  fault,
}: {
  readonly address: string;
  readonly fault: BrokerFault | undefined;
}): Judgement {
  if (fault === undefined) return ok(`${address} lets this account make users.`);
  return failed(
    fault.text,
    fault.todo ??
      'Start it (rabbitmq-plugins enable rabbitmq_management), or mend host and port in --amqp-admin; it usually is at 15672.',
  );
}
