/** The topics of a box: all below `boxes/<box id>/`, so that one rule separates boxes. */
export const BOX_ID = /^[0-9a-f]{16}$/;

export const topics = {
  /** box → backend, frames */
  up: (boxId: string) => `boxes/${boxId}/up`,
  /** backend → box, frames */
  down: (boxId: string) => `boxes/${boxId}/down`,
  /** box → backend, one retained frame: birth or gone */
  presence: (boxId: string) => `boxes/${boxId}/presence`,
  everyUp: 'boxes/+/up',
  everyPresence: 'boxes/+/presence',
} as const;

export type Channel = 'up' | 'down' | 'presence';

const ROOT = 'boxes/';
const BOX_ID_END = ROOT.length + 16;
const CHANNELS: ReadonlyMap<string, Channel> = new Map([
  ['/up', 'up'],
  ['/down', 'down'],
  ['/presence', 'presence'],
]);

/**
 * The box and channel of a topic, or undefined for any other topic. Called for each payload: it allocates no
 * lists.
 */
export function parseTopic(topic: string): { readonly boxId: string; readonly channel: Channel } | undefined {
  const channel = CHANNELS.get(topic.slice(BOX_ID_END));
  if (channel === undefined || !topic.startsWith(ROOT)) return undefined;
  const boxId = topic.slice(ROOT.length, BOX_ID_END);
  return BOX_ID.test(boxId) ? { boxId, channel } : undefined;
}
