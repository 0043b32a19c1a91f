import { partitionOf } from './partitions.ts';

export const BOX_ID = /^[0-9a-f]{16}$/;

/**
 * The topics of a box: all below `boxes/<partition>/<box id>/`. The partition has two digits, and is that of the box
 * (partitions.ts): the backend that serves a partition subscribes to that level alone. And two topics of backends among themselves.
 */
export const topics = {
  /** box → backend, frames */
  up: (boxId: string) => `${rootOf(boxId)}up`,
  /** backend → box, frames */
  down: (boxId: string) => `${rootOf(boxId)}down`,
  /** box → backend, one retained frame: birth or gone */
  presence: (boxId: string) => `${rootOf(boxId)}presence`,
  /** backend → no receiver: the topic of a box that does not exist. Only the broker's acknowledgement matters. */
  probe: 'boxes/33/0000000000000000/down',
  /** What boxes of one partition publish: their frames, and their presence. */
  upOf: (partition: number) => `${ROOT}${twoDigits(partition)}/+/up`,
  presenceOf: (partition: number) => `${ROOT}${twoDigits(partition)}/+/presence`,
  everyUp: 'boxes/+/+/up',
  everyPresence: 'boxes/+/+/presence',
  /** Where boxes were before there were partitions. A broker may still hold retained messages there. */
  everyFormerPresence: 'boxes/+/presence',
  /** backend → backend, one retained text: the id of the installation that uses the broker */
  installation: 'service/installation',
  /** backend → backend, one retained text: the kinds of sessions that the broker may keep for that installation */
  sessions: 'service/sessions',
} as const;

export type Channel = 'up' | 'down' | 'presence';

/** A topic of `everyFormerPresence`. */
export function isFormerPresence(topic: string): boolean {
  return FORMER_PRESENCE.test(topic);
}

const FORMER_PRESENCE = /^boxes\/[0-9a-f]{16}\/presence$/;
const ROOT = 'boxes/';
const BOX_ID_START = ROOT.length + 3;
const BOX_ID_END = BOX_ID_START + 16;
const CHANNELS: ReadonlyMap<string, Channel> = new Map([
  ['/up', 'up'],
  ['/down', 'down'],
  ['/presence', 'presence'],
]);

/** `boxes/07/0123456789abcdef/` */
function rootOf(boxId: string): string {
  return `${ROOT}${partitionLevel(boxId)}/${boxId}/`;
}

function partitionLevel(boxId: string): string {
  return twoDigits(partitionOf(boxId));
}

function twoDigits(partition: number): string {
  return String(partition).padStart(2, '0');
}

/**
 * The box and channel of a topic, or undefined for any other topic, also for one with the partition of another box. Called
 * for each payload: it allocates no lists.
 */
export function parseTopic(topic: string): { readonly boxId: string; readonly channel: Channel } | undefined {
  const channel = CHANNELS.get(topic.slice(BOX_ID_END));
  if (channel === undefined) return undefined;
  const boxId = topic.slice(BOX_ID_START, BOX_ID_END);
  return BOX_ID.test(boxId) && topic.startsWith(rootOf(boxId)) ? { boxId, channel } : undefined;
}
