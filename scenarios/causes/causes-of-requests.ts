import type { Cause, Twist } from './cause.ts';
import { limits } from './limits.ts';
import type { Operation } from './operations.ts';

/** Of no vehicle and no job. */
const UNKNOWN_ID = 'ZZZZZZZZZZ';

type Row = Pick<Cause, 'name' | 'says' | 'detail'> & {
  /** Absent: nothing. */
  readonly holds?: Cause['holds'];
  readonly twist: Twist | ((operation: Operation) => Twist);
};

/** What is wrong with the request alone: nothing has to be brought about but who makes it. */
const ROWS: readonly Row[] = [
  {
    name: 'wrong-method',
    says: 'The resource does not have the method.',
    twist: { isWrongMethod: true },
    detail: /^This resource has: [A-Z, ]+\.$/,
  },
  {
    name: 'text-body',
    says: 'The body is plain text.',
    twist: { raw: { text: 'unlock, please', type: 'text/plain' } },
    detail: /must be application\/json.*'text\/plain'/,
  },
  {
    name: 'large-body',
    says: 'The body is one byte over the limit of the endpoint.',
    twist: ({ kind }) => {
      const room = (kind === 'bulk' ? limits.bulkBodyBytes : limits.bodyBytes) + 1;
      const text = `{"custom_fields":{"a":"${' '.repeat(room)}`.slice(0, room - 3);
      return { raw: { text: `${text}"}}`, type: 'application/json' } };
    },
    detail: /^The body is over \d+ bytes\.$/,
  },
  {
    name: 'no-token',
    says: 'The request has no Authorization header.',
    twist: { caller: 'nobody' },
    detail: /Authorization/,
  },
  {
    name: 'unreadable-token',
    says: 'What stands in the Authorization header is no token.',
    twist: { caller: 'unreadable' },
    detail: /cannot be read/,
  },
  {
    name: 'forged-token',
    says: 'The token is signed by somebody else.',
    twist: { caller: 'forged' },
    detail: /signature/,
  },
  {
    name: 'expired-token',
    says: 'The token was made with a lifetime of one second, which is over.',
    twist: { caller: 'expired' },
    detail: /expired/,
  },
  {
    name: 'token-without-scope',
    says: 'The token is of a client whose permissions lead to other scopes.',
    twist: ({ scope }) => ({
      caller: scope === 'MESSAGE_SUBSCRIPTIONS' ? 'without-subscriptions' : 'without-scope',
    }),
    detail: /^The token lacks the scope [A-Z_]+\.$/,
  },
  {
    name: 'permission-withdrawn',
    says: 'The client has lost its permissions since it got its token.',
    twist: { caller: 'without-permission' },
    detail: /^The client lacks the permission [a-z.-]+/,
  },
  {
    name: 'quota-used-up',
    says: 'The client has made all of its requests of this minute.',
    twist: { caller: 'exhausted' },
    detail: /requests of this minute\. Try again in \d+ s/,
  },
  {
    name: 'unknown-parameter',
    says: 'The request has a parameter that the endpoint does not know.',
    twist: { query: 'colour=green' },
    detail: /'colour': there is no such parameter/,
  },
  {
    name: 'unknown-id',
    says: 'Nothing has the id in the path.',
    twist: { id: UNKNOWN_ID },
    detail: new RegExp(UNKNOWN_ID),
  },
  {
    name: 'stale-etag',
    says: 'If-Match names a version that the vehicle no longer has.',
    twist: { headers: { 'if-match': '"stale"' } },
    detail: /^If-Match does not name the vehicle's version/,
  },
  {
    name: 'unknown-unit',
    says: "The telematics unit of the body is in nobody's stock.",
    twist: { body: { telematics_unit: { id: 'ffffffffffffffff' }, vehicle_model: '{spare_model}' } },
    detail: /'ffffffffffffffff'/,
  },
  {
    name: 'unknown-to-its-maker',
    says: "The maker has no vehicle with the body's identifier.",
    twist: {
      body: {
        third_party: { maker: 'northwind', vehicle_id: 'car_nobodys' },
        vehicle_model: 'electric-estate',
      },
    },
    // A maker that cannot be asked does not stand in the way.
    holds: 'maker',
    detail: /'car_nobodys'/,
  },
];

export const CAUSES_OF_REQUESTS: readonly Cause[] = ROWS.map(({ twist, ...row }) => ({
  holds: 'nothing',
  passes: [],
  ...row,
  bring: [],
  undo: [],
  twist: typeof twist === 'function' ? twist : () => twist,
}));
