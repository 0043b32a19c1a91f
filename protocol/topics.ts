/** Where a box's messages go: everything below `boxes/<box id>/`, so that one rule keeps boxes apart. */
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

/** The box and channel of a topic, or undefined where it is none of ours. */
export function parseTopic(topic: string): { readonly boxId: string; readonly channel: Channel } | undefined {
  const [root, boxId, channel, ...rest] = topic.split('/');
  if (root !== 'boxes' || boxId === undefined || !BOX_ID.test(boxId) || rest.length > 0) return undefined;
  if (channel !== 'up' && channel !== 'down' && channel !== 'presence') return undefined;
  return { boxId, channel };
}
