import type { Operation } from '../../contract/operation.ts';
import { causeLimits } from '../limits.ts';
import type { Cause, RequestChange } from './cause.ts';

/** Of no vehicle and no job. */
const UNKNOWN_ID = 'ZZZZZZZZZZ';

type Row = Pick<Cause, 'name' | 'about' | 'detail'> & {
  /** Absent: nothing. */
  readonly reserves?: Cause['reserves'];
  readonly requestChange: RequestChange | ((operation: Operation) => RequestChange);
};

/** Causes in the request alone: no step is needed except for its caller. */
const ROWS: readonly Row[] = [
  {
    name: 'wrong-method',
    about: 'The resource does not have the method.',
    requestChange: { isWrongMethod: true },
    detail: /^This resource supports: [A-Z, ]+\.$/,
  },
  {
    name: 'text-body',
    about: 'The body is plain text.',
    requestChange: { raw: { text: 'unlock, please', type: 'text/plain' } },
    detail: /^The Content-Type of the body is 'text\/plain'\. Send it as application\/json/,
  },
  {
    name: 'large-body',
    about: 'The body is one byte over the limit of the endpoint.',
    requestChange: ({ kind }) => {
      const room = (kind === 'bulk' ? causeLimits.bulkBodyBytes : causeLimits.bodyBytes) + 1;
      const text = `{"custom_fields":{"a":"${' '.repeat(room)}`.slice(0, room - 3);
      return { raw: { text: `${text}"}}`, type: 'application/json' } };
    },
    detail: /^The body is over \d+ bytes\.$/,
  },
  {
    name: 'no-token',
    about: 'The request has no Authorization header.',
    requestChange: { caller: 'nobody' },
    detail: /Authorization/,
  },
  {
    name: 'unreadable-token',
    about: 'The Authorization header does not hold a token.',
    requestChange: { caller: 'unreadable' },
    detail: /cannot be read/,
  },
  {
    name: 'forged-token',
    about: 'The token is signed with a foreign key.',
    requestChange: { caller: 'forged' },
    detail: /signature/,
  },
  {
    name: 'expired-token',
    about: 'The token was made with a lifetime of one second, which is over.',
    requestChange: { caller: 'expired' },
    detail: /expired/,
  },
  {
    name: 'token-without-scope',
    about: 'The token is of a client whose permissions lead to other scopes.',
    requestChange: ({ scope }) => ({
      caller: scope === 'MESSAGE_SUBSCRIPTIONS' ? 'without-subscriptions' : 'without-scope',
    }),
    detail: /^The token lacks the scope [A-Z_]+\.$/,
  },
  {
    name: 'permission-withdrawn',
    about: 'The client has lost its permissions since it got its token.',
    requestChange: { caller: 'without-permission' },
    detail: /^The client lacks the permission [a-z.-]+/,
  },
  {
    name: 'quota-used-up',
    about: 'The client has made all of its requests of this minute.',
    requestChange: { caller: 'exhausted' },
    detail: /requests of this minute\. Try again in \d+ s/,
  },
  {
    name: 'unknown-parameter',
    about: 'The request has a parameter that the endpoint does not know.',
    requestChange: { query: 'colour=green' },
    detail: /'colour': there is no such parameter/,
  },
  {
    name: 'unknown-id',
    about: 'Nothing has the id in the path.',
    requestChange: { id: UNKNOWN_ID },
    detail: new RegExp(UNKNOWN_ID),
  },
  {
    name: 'stale-etag',
    about: 'If-Match names a version that the vehicle no longer has.',
    requestChange: { headers: { 'if-match': '"stale"' } },
    detail: /^If-Match does not name the vehicle's version/,
  },
  {
    name: 'unknown-unit',
    about: 'The telematics unit of the body is not in stock.',
    requestChange: { body: { telematics_unit: { id: 'ffffffffffffffff' }, vehicle_model: '{spare_model}' } },
    detail: /'ffffffffffffffff'/,
  },
  {
    name: 'unknown-to-its-maker',
    about: "The maker's vehicle of the body is not in stock.",
    requestChange: {
      body: {
        third_party: { maker: 'northwind', vehicle_id: 'car_nobodys' },
        vehicle_model: 'electric-estate',
      },
    },
    // Without its interface the service refuses the name of the maker.
    reserves: 'maker',
    detail: /'car_nobodys'/,
  },
];

export const CAUSES_OF_REQUESTS: readonly Cause[] = ROWS.map(({ requestChange, ...row }) => ({
  reserves: 'nothing',
  prerequisites: [],
  ...row,
  steps: [],
  undoSteps: [],
  requestChange: typeof requestChange === 'function' ? requestChange : () => requestChange,
}));
