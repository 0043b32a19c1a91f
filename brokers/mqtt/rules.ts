import { limits } from '../limits.ts';

/**
 * Authorization at the broker. All topics of a box are below `boxes/<partition>/<box id>/`:
 *
 *     topic                              box itself    other boxes   backend
 *     boxes/<partition>/<id>/up          publish       nothing       subscribe, also with `+` for partition and id
 *     boxes/<partition>/<id>/presence    publish       nothing       subscribe, also with `+` for partition and id
 *     boxes/<partition>/<id>/down        subscribe     nothing       publish
 *
 *     service/installation               nothing       nothing       publish, subscribe
 *     service/sessions                   nothing       nothing       publish, subscribe
 *
 * A partition has two digits. Which one is a box's own is not known here, as at any other broker: the service reads
 * nothing that comes by another one.
 *
 * Only `presence` and the topics of backends may be retained: a retained command would be carried out at every connect,
 * and a retained report would be read again at every start of the backend.
 */
export type MqttAccount = { readonly kind: 'box'; readonly boxId: string } | { readonly kind: 'backend' };

/** The fields of a CONNECT (MQTT 3.1.1 section 3.1) without user name and password. */
export interface ConnectRequest {
  readonly clientId: string;
  /** 0: the client may stay silent for an unlimited time. */
  readonly keepAliveS: number;
  readonly will: { readonly topic: string; readonly retain: boolean } | undefined;
}

/** A refusal with its CONNACK return code (section 3.2.2.3). */
export interface ConnectRefusal {
  readonly returnCode: 2 | 3 | 4 | 5;
  readonly reason: string;
}

const BOX_ID = /^[0-9a-f]{16}$/;

const ROOT = 'boxes/';
const FORMER_PRESENCE = 'boxes/+/presence';
/** Where backends tell each other which installation uses the broker, and which sessions it has there. */
const OF_BACKENDS: ReadonlySet<string> = new Set(['service/installation', 'service/sessions']);
const PARTITION = /^[0-9]{2}$/;

/**
 * The account of a user name: the backend's or a box's. Does not check whether that box exists. Undefined for
 * any other name.
 */
export function mqttAccountOf(
  username: string | undefined,
  backendUsername: string,
): MqttAccount | undefined {
  if (username === undefined) return undefined;
  if (username === backendUsername) return { kind: 'backend' };
  return BOX_ID.test(username) ? { kind: 'box', boxId: username } : undefined;
}

/** Why `account` may not connect with these fields; undefined if it may. */
export function refuseConnect(account: MqttAccount, request: ConnectRequest): ConnectRefusal | undefined {
  const { clientId, keepAliveS, will } = request;
  if (!ownsClientId(account, clientId)) return { returnCode: 2, reason: 'the client id is not its own' };
  if (keepAliveS === 0 || keepAliveS > limits.mqtt.keepAliveS) {
    return { returnCode: 5, reason: `the keep-alive is not from 1 to ${limits.mqtt.keepAliveS} s` };
  }
  if (will !== undefined && !mayPublish(account, will.topic, will.retain)) {
    return { returnCode: 5, reason: 'the will is on a topic that it may not publish on' };
  }
  return undefined;
}

/**
 * A client id names a session: with another account's id, a client would take over its connection and queue.
 */
function ownsClientId(account: MqttAccount, clientId: string): boolean {
  switch (account.kind) {
    case 'box':
      return clientId === account.boxId;
    case 'backend':
      return clientId.length > 0 && clientId.length <= limits.mqtt.clientIdLength && !BOX_ID.test(clientId);
    default:
      return account satisfies never;
  }
}

/** Whether `account` may publish on `topic`, directly or as its will. */
export function mayPublish(account: MqttAccount, topic: string, isRetained: boolean): boolean {
  if (OF_BACKENDS.has(topic)) return account.kind === 'backend';
  const levels = parseTopic(topic);
  if (levels === undefined || !PARTITION.test(levels.partition) || !BOX_ID.test(levels.box)) return false;
  switch (account.kind) {
    case 'box':
      if (levels.box !== account.boxId) return false;
      return levels.channel === 'presence' || (levels.channel === 'up' && !isRetained);
    case 'backend':
      return levels.channel === 'down' && !isRetained;
    default:
      return account satisfies never;
  }
}

/** Whether `account` may subscribe to `filter`. */
export function maySubscribe(account: MqttAccount, filter: string): boolean {
  // Where a backend reads what boxes of an older version left at a broker. Here nobody can publish there.
  if (filter === FORMER_PRESENCE || OF_BACKENDS.has(filter)) return account.kind === 'backend';
  const levels = parseTopic(filter);
  if (levels === undefined) return false;
  switch (account.kind) {
    case 'box':
      return PARTITION.test(levels.partition) && levels.box === account.boxId && levels.channel === 'down';
    case 'backend':
      if (levels.partition !== '+' && !PARTITION.test(levels.partition)) return false;
      if (levels.box !== '+' && !BOX_ID.test(levels.box)) return false;
      return levels.channel === 'up' || levels.channel === 'presence';
    default:
      return account satisfies never;
  }
}

/**
 * The three variable levels of `boxes/<partition>/<box>/<channel>`; undefined for any other topic, also a longer one.
 */
function parseTopic(
  topic: string,
): { readonly partition: string; readonly box: string; readonly channel: string } | undefined {
  if (!topic.startsWith(ROOT)) return undefined;
  const partitionEnd = topic.indexOf('/', ROOT.length);
  const boxEnd = topic.indexOf('/', partitionEnd + 1);
  if (partitionEnd < 0 || boxEnd < 0 || topic.includes('/', boxEnd + 1)) return undefined;
  return {
    partition: topic.slice(ROOT.length, partitionEnd),
    box: topic.slice(partitionEnd + 1, boxEnd),
    channel: topic.slice(boxEnd + 1),
  };
}
