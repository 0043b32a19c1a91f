import { limits } from './limits.ts';

/**
 * Who may do what on the broker. Everything of a box is below `boxes/<box id>/`:
 *
 *     topic                  box itself    other boxes   backend
 *     boxes/<id>/up          publish       nothing       subscribe, also with `+` for the id
 *     boxes/<id>/presence    publish       nothing       subscribe, also with `+` for the id
 *     boxes/<id>/down        subscribe     nothing       publish
 *
 * Only `presence` is ever retained: a retained command would be carried out at every connect, and a retained report
 * would be read again at every start of the backend.
 */
export type Account = { readonly kind: 'box'; readonly boxId: string } | { readonly kind: 'backend' };

/** What a CONNECT (MQTT 3.1.1 section 3.1) says beside the password. */
export interface Greeting {
  readonly clientId: string;
  /** 0: the client may stay silent for ever. */
  readonly keepAliveS: number;
  readonly will: { readonly topic: string; readonly retain: boolean } | undefined;
}

/** A refusal with its CONNACK return code (section 3.2.2.3). */
export interface Refusal {
  readonly returnCode: 2 | 3 | 4 | 5;
  readonly reason: string;
}

const BOX_ID = /^[0-9a-f]{16}$/;

const ROOT = 'boxes/';

/** Whose account a user name is: the backend's, or a box's, or nobody's. Whether that box exists is another question. */
export function accountOf(username: string | undefined, backendUsername: string): Account | undefined {
  if (username === undefined) return undefined;
  if (username === backendUsername) return { kind: 'backend' };
  return BOX_ID.test(username) ? { kind: 'box', boxId: username } : undefined;
}

/** Why `account` may not connect like this; undefined where it may. */
export function refuseGreeting(account: Account, greeting: Greeting): Refusal | undefined {
  const { clientId, keepAliveS, will } = greeting;
  if (!ownsClientId(account, clientId)) return { returnCode: 2, reason: 'the client id is not its own' };
  if (keepAliveS === 0 || keepAliveS > limits.keepAliveS) {
    return { returnCode: 5, reason: `the keep-alive is not from 1 to ${limits.keepAliveS} s` };
  }
  if (will !== undefined && !mayPublish(account, will.topic, will.retain)) {
    return { returnCode: 5, reason: 'the will is on a topic that it may not publish on' };
  }
  return undefined;
}

/** A client id names a session: with another's, one would take over its connection and its queue. */
function ownsClientId(account: Account, clientId: string): boolean {
  switch (account.kind) {
    case 'box':
      return clientId === account.boxId;
    case 'backend':
      return clientId.length > 0 && clientId.length <= limits.clientIdLength && !BOX_ID.test(clientId);
    default:
      return account satisfies never;
  }
}

/** Whether `account` may publish on `topic`, live or as its will. */
export function mayPublish(account: Account, topic: string, isRetained: boolean): boolean {
  const place = parse(topic);
  if (place === undefined || !BOX_ID.test(place.box)) return false;
  switch (account.kind) {
    case 'box':
      if (place.box !== account.boxId) return false;
      return place.channel === 'presence' || (place.channel === 'up' && !isRetained);
    case 'backend':
      return place.channel === 'down' && !isRetained;
    default:
      return account satisfies never;
  }
}

/** Whether `account` may subscribe `filter`. */
export function maySubscribe(account: Account, filter: string): boolean {
  const place = parse(filter);
  if (place === undefined) return false;
  switch (account.kind) {
    case 'box':
      return place.box === account.boxId && place.channel === 'down';
    case 'backend':
      if (place.box !== '+' && !BOX_ID.test(place.box)) return false;
      return place.channel === 'up' || place.channel === 'presence';
    default:
      return account satisfies never;
  }
}

/** The two variable levels of `boxes/<box>/<channel>`; undefined for everything else, more levels included. */
function parse(topic: string): { readonly box: string; readonly channel: string } | undefined {
  if (!topic.startsWith(ROOT)) return undefined;
  const end = topic.indexOf('/', ROOT.length);
  if (end < 0 || topic.includes('/', end + 1)) return undefined;
  return { box: topic.slice(ROOT.length, end), channel: topic.slice(end + 1) };
}
