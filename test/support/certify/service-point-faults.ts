import { operationName } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import type { FakeAnswer, ServiceFault } from './fake-service.ts';

/** What a service does otherwise, and a part of what the point says of it. */
export interface RequestFault {
  readonly what: string;
  readonly fault: ServiceFault;
  readonly said: string;
}

const answering =
  (operation: string, change: (right: FakeAnswer) => FakeAnswer): NonNullable<ServiceFault['answer']> =>
  (asked, right) =>
    asked === operation ? change(right) : right;

const withBody =
  (values: Readonly<Record<string, unknown>>) =>
  ({ status, body, headers = {} }: FakeAnswer): FakeAnswer => ({
    status,
    body: Object.assign({}, body, values),
    headers,
  });

const withHeaders =
  (headers: Readonly<Record<string, string>>) =>
  ({ status, body }: FakeAnswer): FakeAnswer => ({ status, body, headers });

/** It answers that operation otherwise where it should succeed. */
const otherwise = (
  what: string,
  said: string,
  operation: string,
  change: (right: FakeAnswer) => FakeAnswer,
): RequestFault => ({
  what,
  fault: { answer: answering(operation, (right) => (right.status < 300 ? change(right) : right)) },
  said,
});

const idle = (operation: string, said: string): RequestFault => ({
  what: `does nothing at ${operation}`,
  fault: { idle: operation },
  said,
});

const TOKEN = 'POST /auth/oauth/token';
/** Whether a box is ready is asked by it. */
const SYSTEM_STATUS = /request-system-status$/;
const BULK = '/configure-vehicle-telematics-unit-bulk';
const SUBSCRIPTION = '/message-subscriptions/{subscription_id}';

/** Of points about tokens. */
const ACCESS_FAULTS: Readonly<Record<string, readonly RequestFault[]>> = {
  'access/a token of client credentials': [
    otherwise('writes the type in capitals', 'token_type', TOKEN, withBody({ token_type: 'Bearer' })),
    otherwise('gives tokens for a minute', 'expires_in', TOKEN, withBody({ expires_in: 60 })),
  ],
  'access/a wrong secret': [
    {
      what: 'takes any secret',
      fault: {
        answer: answering(TOKEN, (right) =>
          right.status === 401
            ? { status: 200, body: { access_token: 'any', token_type: 'bearer', expires_in: 3600 } }
            : right,
        ),
      },
      said: '200',
    },
    {
      what: 'names another error',
      fault: {
        answer: answering(TOKEN, (right) =>
          right.status === 401 ? withBody({ error: 'no' })(right) : right,
        ),
      },
      said: 'Its error is "no"',
    },
    {
      what: 'names no scheme',
      fault: { answer: answering(TOKEN, (right) => (right.status === 401 ? withHeaders({})(right) : right)) },
      said: 'WWW-Authenticate',
    },
  ],
  'access/an older token': [
    otherwise('takes no token but the newest', '401', 'GET /vehicles', () => ({ status: 401, body: {} })),
  ],
  'access/the discovery document': [
    otherwise(
      'names no keys',
      'It lacks jwks_uri',
      'GET /.well-known/openid-configuration',
      withBody({ jwks_uri: undefined }),
    ),
  ],
};

/** Of each permission: it is not enough, or nobody answers. */
const PERMISSION_FAULTS = Object.fromEntries(
  [...Map.groupBy(OPERATIONS, ({ permission }) => permission)].map(([permission, [operation]]) => {
    const name = operation === undefined ? '' : operationName(operation);
    const faults: readonly RequestFault[] = [
      {
        what: 'refuses it',
        fault: { answer: answering(name, () => ({ status: 403, body: {} })) },
        said: `${name} answered 403`,
      },
      {
        what: 'does not answer',
        fault: {
          answer: answering(name, () => {
            throw new TypeError('reset');
          }),
        },
        said: `${name} answered nothing`,
      },
    ];
    return [`access/the permission ${permission}`, faults];
  }),
);

/** What more than a refusal is found of operations on records. */
const RECORD_FAULTS: Readonly<Record<string, readonly RequestFault[]>> = {
  'GET /vehicles': [
    otherwise(
      'lists one page',
      'do not have the vehicle BBBBB',
      'GET /vehicles',
      withBody({ next_page_token: undefined }),
    ),
  ],
  'GET /vehicles/{id}': [
    otherwise(
      'answers another vehicle',
      'Its id is another one',
      'GET /vehicles/{id}',
      withBody({ id: 'BBBBB' }),
    ),
    otherwise(
      'has no state',
      'It lacks latest_vehicle_state',
      'GET /vehicles/{id}',
      withBody({ latest_vehicle_state: undefined }),
    ),
    otherwise('sends no ETag', 'It lacks the header ETag', 'GET /vehicles/{id}', withHeaders({})),
  ],
  'PATCH /vehicles/{id}': [
    idle('PATCH /vehicles/{id}', 'GET does not show the tags'),
    otherwise('answers other tags', 'Its tags are not', 'PATCH /vehicles/{id}', withBody({ tags: [] })),
    otherwise(
      'keeps the ETag',
      'Its ETag is that of before',
      'PATCH /vehicles/{id}',
      withHeaders({ etag: '"0"' }),
    ),
  ],
  'PUT /vehicles/{id}/sharing': [
    otherwise(
      'answers another fleet',
      'shared_with is not PARTNER',
      'PUT /vehicles/{id}/sharing',
      withBody({ shared_with: 'OTHER' }),
    ),
    idle('PUT /vehicles/{id}/sharing', 'GET does not show'),
  ],
  'DELETE /vehicles/{id}/sharing': [
    idle('DELETE /vehicles/{id}/sharing', 'GET says that it is shared with "PARTNER"'),
  ],
  'POST /vehicles': [
    idle('POST /vehicles', 'Its setup is'),
    otherwise(
      'leads elsewhere',
      'Its Location',
      'POST /vehicles',
      withHeaders({ location: '/vehicles/OTHER' }),
    ),
    otherwise('gives ids of another form', 'is not of 5 to 12', 'POST /vehicles', withBody({ id: 'new' })),
  ],
  'DELETE /vehicles/{id}': [idle('DELETE /vehicles/{id}', '200')],
  [`POST ${BULK}`]: [
    otherwise('gives ids of another form', 'is no ULID', `POST ${BULK}`, withBody({ id: '7' })),
    otherwise('leads elsewhere', 'Its Location', `POST ${BULK}`, withHeaders({})),
  ],
  [`GET ${BULK}/{job_id}`]: [
    idle(`POST ${BULK}`, '404'),
    otherwise('applies what fails', 'Its results are', `GET ${BULK}/{job_id}`, withBody({ items: [] })),
  ],
  'POST /message-subscriptions': [
    otherwise(
      'names its queue otherwise',
      'Its queue is not called',
      'POST /message-subscriptions',
      withBody({ queues: [] }),
    ),
  ],
  'GET /message-subscriptions': [idle('POST /message-subscriptions', 'It lacks the subscription')],
  [`GET ${SUBSCRIPTION}`]: [
    otherwise(
      'tells the password again',
      'It contains the password',
      `GET ${SUBSCRIPTION}`,
      withBody({ password: 'once' }),
    ),
    otherwise(
      'answers another one',
      'Its id is another one',
      `GET ${SUBSCRIPTION}`,
      withBody({ id: 'other' }),
    ),
  ],
  [`DELETE ${SUBSCRIPTION}`]: [idle(`DELETE ${SUBSCRIPTION}`, '200')],
};

/** What more is found of the operation of a command or a feature. */
function furtherFaults({
  method,
  kind,
  path,
  name = '',
}: (typeof OPERATIONS)[number]): readonly RequestFault[] {
  const operation = `${method} ${path}`;
  switch (kind) {
    case 'read-configuration':
      return [
        otherwise(
          'says that it is off',
          'Its status is "INACTIVE"',
          operation,
          withBody({ status: 'INACTIVE' }),
        ),
        idle(operation.replace('GET', 'PUT'), 'Its status is "INACTIVE"'),
      ];
    case 'configure':
      return [
        otherwise(
          'says that it is off',
          'Its status is "INACTIVE"',
          operation,
          withBody({ status: 'INACTIVE' }),
        ),
      ];
    case 'deactivate':
      return [idle(operation, 'GET says "ACTIVE"')];
    case 'vehicle-command': {
      const property = /driving/.test(name)
        ? 'driving_enabled'
        : /lock/.test(name) && !/battery/.test(name) && 'lock';
      if (property === false)
        return [
          otherwise('answers no state', 'no property', operation, ({ status }) => ({ status, body: {} })),
        ];
      const value = { timestamp: '2026-01-05T06:00:00Z', value: 'JAMMED' };
      const jammed = { driving_enabled: value, central_lock: value, top_case_lock: value };
      return [otherwise('did not get it done', 'is "JAMMED"', operation, withBody(jammed))];
    }
    case 'connectivity-command':
      return name === 'network-detach' ? [] : [idle(operation, 'and the card is')];
    case 'box-command':
      return name === 'request-system-status'
        ? [otherwise('has no status', 'It lacks', operation, ({ status }) => ({ status, body: {} }))]
        : [];
    default:
      return RECORD_FAULTS[operation] ?? [];
  }
}

/** By the name of the point. Each operation that should succeed may fail. */
export const SERVICE_POINT_FAULTS: Readonly<Record<string, readonly RequestFault[]>> = Object.assign(
  {},
  ACCESS_FAULTS,
  PERMISSION_FAULTS,
  Object.fromEntries(
    OPERATIONS.map((operation) => {
      const name = operationName(operation);
      const fails = otherwise('fails', SYSTEM_STATUS.test(name) ? 'is not ready' : '500', name, () => ({
        status: 500,
        body: {},
      }));
      return [`success/${name}`, [fails, ...furtherFaults(operation)]];
    }),
  ),
);
