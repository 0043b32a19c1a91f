/**
 * The one table of problems. A refusal names a row and adds a sentence about the occurrence; status, type and title are
 * defined only here.
 */
export interface ProblemRow {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 502 | 504;
  /** URI reference, relative to the base address; its page is below /docs. */
  readonly type: `/problems/${string}`;
  readonly title: string;
  /** For the page behind `type_documentation`: when it happens and what a caller can do. */
  readonly meaning: string;
}

export const PROBLEMS = {
  'validation-error': {
    status: 400,
    type: '/problems/validation-error',
    title: 'Validation Error',
    meaning:
      'The body or a parameter is not valid; the detail names the property and the rule. Correct the request.',
  },
  'missing-credentials': {
    status: 401,
    type: '/problems/missing-credentials',
    title: 'The credentials are missing.',
    meaning: 'The request has no Authorization header. Send one with a bearer token.',
  },
  'invalid-credentials': {
    status: 401,
    type: '/problems/invalid-credentials',
    title: 'The credentials are invalid.',
    meaning:
      'The token is expired, unreadable, not signed by this service, or its client no longer exists. Request a new one.',
  },
  'forbidden-resource': {
    status: 403,
    type: '/problems/forbidden-resource',
    title: 'Accessing this resource is forbidden.',
    meaning: 'The token lacks the scope of this endpoint. Ask for a token with that scope.',
  },
  'missing-permissions': {
    status: 403,
    type: '/problems/missing-permissions',
    title: 'Accessing this resource is forbidden.',
    meaning:
      'The client, or the person for whom it acts, lacks the permission that this endpoint needs. Have it granted.',
  },
  'resource-not-found': {
    status: 404,
    type: '/problems/resource-not-found',
    title: 'The resource cannot be found.',
    meaning:
      'There is no resource at this path, or the id in it does not belong to your fleet. Compare both with the reference and with GET /vehicles; only its owner can change a vehicle that is shared with you.',
  },
  'method-not-allowed': {
    status: 405,
    type: '/problems/method-not-allowed',
    title: 'Method not allowed.',
    meaning:
      'The resource does not support this method. The Allow header lists those that it supports: use one of them.',
  },
  'command-not-supported': {
    status: 409,
    type: '/problems/vehicle/command-not-supported',
    title: 'The command is not supported by the vehicle.',
    meaning: 'The vehicle lacks the command capability. Its record lists those that it has: use one of them.',
  },
  'conflicting-resource': {
    status: 409,
    type: '/problems/conflicting-resource',
    title: 'Request cannot be processed due to a conflicting resource or resource state.',
    meaning:
      'A resource is not in the state that the request needs; the detail says which. A box that is starting, updating or being set up accepts commands again after a while: try again. What is in use or shared has to be released first.',
  },
  'conflicting-setup-status': {
    status: 409,
    type: '/problems/vehicle/conflicting-setup-status',
    title: "The operation cannot be performed due to the vehicle's setup status.",
    meaning:
      'Commands are accepted once the setup status is SUCCEEDED. Wait while it is PENDING or RUNNING; if it is FAILED, fix what the detail names and onboard the vehicle again.',
  },
  'shared-with-partner': {
    status: 409,
    type: '/problems/vehicle/shared-with-partner',
    title: 'The vehicle is currently shared with a partner.',
    meaning:
      'While a vehicle is shared, some requests are for the partner alone and some for the owner alone. Leave the request to the other party, or have the owner end the sharing.',
  },
  'incompatible-firmware-version': {
    status: 409,
    type: '/problems/incompatible-firmware-version',
    title: 'Incompatible firmware version',
    meaning:
      'The firmware of the box is too old. The detail gives the version from which the resource works: try again once the box is updated.',
  },
  'resource-conflict': {
    status: 409,
    type: '/problems/resource-conflict',
    title: 'The resource has a conflict.',
    meaning:
      'The SIM provider of the vehicle does not support this command. Do not try again: it fails every time.',
  },
  'conflicting-command': {
    status: 409,
    type: '/problems/vehicle/conflicting-command',
    title: "The command cannot be executed because of a conflicting command's processing.",
    meaning: 'Another command of this vehicle is being carried out. Wait for its answer.',
  },
  'conflicting-state': {
    status: 409,
    type: '/problems/vehicle/conflicting-state',
    title: 'The command cannot be executed due to the current state of the vehicle.',
    meaning:
      'The vehicle is in a state that forbids the command, for example because it is moving. Try again once that is over.',
  },
  'conflicting-operation': {
    status: 409,
    type: '/problems/conflicting-operation',
    title: 'Request cannot be processed due to a conflicting ongoing operation.',
    meaning:
      'An operation on the same resource is in progress, or a later one has replaced this one. Read the current state, and try again if it is not what you want.',
  },
  'incompatible-installation-variant': {
    status: 409,
    type: '/problems/incompatible-installation-variant',
    title: 'Incompatible installation variant.',
    meaning:
      'The box is not installed in the way that the feature needs. Leave the feature out for this vehicle, or have the box installed differently.',
  },
  'incompatible-telematics-unit-model': {
    status: 409,
    type: '/problems/incompatible-telematics-unit-model',
    title: 'The desired configuration is not available for the telematics unit.',
    meaning:
      'The box lacks the sensor or the feature. Leave it out for this vehicle, or have another box installed.',
  },
  'resource-modified': {
    status: 412,
    type: '/problems/resource-modified',
    title: 'Resource has been modified.',
    meaning: 'If-Match does not name the current version. Read the resource again.',
  },
  'payload-too-large': {
    status: 413,
    type: '/problems/payload-too-large',
    title: 'Payload too large.',
    meaning: 'The body is over the limit of the endpoint, which the detail gives. Send less at a time.',
  },
  'unsupported-media-type': {
    status: 415,
    type: '/problems/unsupported-media-type',
    title: 'Unsupported media type.',
    meaning:
      'The endpoint does not take a body of this type or encoding. Send JSON, with Content-Type application/json and without Content-Encoding.',
  },
  'too-many-requests': {
    status: 429,
    type: '/problems/too-many-requests',
    title: 'Too many requests.',
    meaning:
      'There were too many requests in a short time. Slow down: Retry-After gives the seconds to wait.',
  },
  'internal-server-error': {
    status: 500,
    type: '/problems/internal-server-error',
    title: 'Internal Server Error',
    meaning: 'The service failed; the operator has been notified. Give the flow_id to support.',
  },
  'telematics-unit-error': {
    status: 500,
    type: '/problems/telematics-unit/error',
    title: 'An error occurred on the telematics unit',
    meaning:
      'The box tried to carry out the command and failed. The detail gives the reason: try again, and have the box checked if that does not help.',
  },
  'third-party-error': {
    status: 502,
    type: '/problems/third-party/error',
    title: 'An error occurred at a third party API or protocol.',
    meaning:
      "The interface of the vehicle's maker answered with an error, which the detail quotes. Try again later, or ask the maker.",
  },
  'no-connection': {
    status: 504,
    type: '/problems/vehicle/no-connection',
    title: 'No connection to vehicle',
    meaning:
      'The vehicle did not connect, or did not answer in time. The detail says whether it may have acted: look at its state before you try again.',
  },
} as const satisfies Readonly<Record<string, ProblemRow>>;

export type ProblemKind = keyof typeof PROBLEMS;

/** The order of refusals: of several problems that apply, the first is answered. Those of one rank exclude each other. */
export const REFUSAL_ORDER: readonly (readonly ProblemKind[])[] = [
  ['method-not-allowed'],
  ['unsupported-media-type'],
  ['payload-too-large'],
  ['missing-credentials', 'invalid-credentials'],
  ['forbidden-resource', 'missing-permissions'],
  ['too-many-requests'],
  ['validation-error'],
  ['resource-not-found'],
  ['conflicting-setup-status'],
  ['shared-with-partner'],
  ['command-not-supported'],
  [
    'incompatible-firmware-version',
    'incompatible-telematics-unit-model',
    'incompatible-installation-variant',
  ],
  ['resource-conflict'],
  ['conflicting-resource'],
  ['conflicting-operation', 'conflicting-command'],
  ['conflicting-state'],
  ['third-party-error'],
  ['no-connection'],
];

/** Why a request is refused: the row of the table, and an English sentence about this occurrence. */
export interface Refusal {
  readonly problem: ProblemKind;
  readonly detail: string;
}

/** A refusal as a value; nothing is thrown and nothing is answered yet. */
export function problem(kind: ProblemKind, detail: string): Refusal {
  return { problem: kind, detail };
}
