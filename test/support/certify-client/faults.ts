import type { PointName } from '../../../judge/client/points.ts';

/** What the small client can do wrong, and the one point that finds it. */
export const CLIENT_FAULTS = {
  'hammers-after-429': 'retry-after',
  'keeps-its-token': 'token-expiry',
  'token-for-each-request': 'token-reuse',
  'no-back-off': 'back-off',
  'repeats-refused': 'no-hopeless-retry',
  'hammers-conflicts': 'waits-for-conflicts',
  'repeats-after-504': 'looks-after-504',
  'hangs-up': 'patience',
  'forgets-to-acknowledge': 'acknowledges',
  'acknowledges-first': 'stores-first',
  'consumes-without-acks': 'stores-first',
  'no-prefetch': 'prefetch',
  'counts-twice': 'duplicates',
  'takes-the-last': 'disorder',
  'connects-at-once': 'amqp-back-off',
  'stays-away': 'amqp-return',
  'gives-up': 'recovers',
} as const satisfies Readonly<Record<string, PointName>>;

export type ClientFault = keyof typeof CLIENT_FAULTS;

export const CLIENT_FAULT_NAMES = Object.keys(CLIENT_FAULTS) as readonly ClientFault[];

/** Whether a text is the name of one. */
export function isClientFault(text: string): text is ClientFault {
  return Object.hasOwn(CLIENT_FAULTS, text);
}
