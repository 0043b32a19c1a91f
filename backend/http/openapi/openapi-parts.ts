import { OPENID, type Scope } from '../../../contract/permissions.ts';
import { AUTHORIZE_PATH, TOKEN_PATH } from '../../access/oauth/paths.ts';

/** The parts of the OpenAPI document that belong to no single operation. */
export const INFO = {
  title: 'Vehicle Telematics Service',
  version: '1.3.0',
  summary: 'Commands, configuration and state of connected vehicles.',
  description: [
    'Sends commands to vehicles and their telematics units, configures the units, and gives what the vehicles report.',
    'Every answer carries `X-Service-Flow-ID`; a request may send its own. A refusal is a Problem: `x-problems` lists,',
    'for each status of an operation, the possible types.',
  ].join(' '),
  license: { name: 'MIT', identifier: 'MIT' },
};

export const TAGS = [
  { name: 'Commands', description: 'Commands that the telematics unit itself carries out.' },
  {
    name: 'Connectivity Commands',
    description: "Commands that the provider of the telematics unit's SIM card carries out.",
  },
  {
    name: 'Vehicle Commands',
    description:
      'Commands that move something in the vehicle, or ask for its state. They answer with the state.',
  },
  { name: 'Vehicles', description: "The fleet's vehicles, and those that are shared with it." },
  { name: 'Feature Configuration', description: 'What the telematics unit does by itself.' },
  { name: 'Bulk Configuration', description: 'Feature configuration of many vehicles at once, as a job.' },
  { name: 'Message Subscriptions', description: 'Queues with the messages about the vehicles.' },
  { name: 'Authentication', description: 'Tokens, and the people and clients that get them.' },
];

const SCOPE_MEANINGS: Readonly<Record<Scope | typeof OPENID, string>> = {
  VEHICLE_COMMANDS: 'Sends commands to vehicles and manages the connectivity of their telematics units.',
  VEHICLES: 'Reads, onboards, changes, shares and offboards vehicles.',
  VEHICLES_RO: 'Reads vehicles and their state.',
  VEHICLE_CONFIGURATION: 'Configures telematics units, and reads configurations and bulk jobs.',
  VEHICLE_CONFIGURATION_RO: 'Reads configurations and bulk jobs.',
  MESSAGE_SUBSCRIPTIONS: 'Subscribes to messages.',
  OPENID: 'Requests an id token about the person who signed in.',
};

/** The name under which operations refer to the security scheme. */
export const SECURITY_SCHEME = 'oauth';

export function securityScheme(baseUrl: string) {
  const tokenUrl = `${baseUrl}${TOKEN_PATH}`;
  const { [OPENID]: _ofPeople, ...ofClients } = SCOPE_MEANINGS;
  return {
    type: 'oauth2' as const,
    description:
      'Bearer tokens. Beside the scope in its token a client needs the permission that an operation names.',
    flows: {
      clientCredentials: { tokenUrl, scopes: ofClients },
      authorizationCode: {
        authorizationUrl: `${baseUrl}${AUTHORIZE_PATH}`,
        tokenUrl,
        refreshUrl: tokenUrl,
        scopes: SCOPE_MEANINGS,
      },
    },
  };
}

const text = { type: 'string' as const };
const count = { type: 'integer' as const, minimum: 0 };

/** Headers that answers have because of their kind, in every operation. */
export const HEADERS = {
  'X-Service-Flow-ID': {
    description: 'The id of the flow that the request is part of: the one that it sent, or a new one.',
    required: true,
    schema: { type: 'string' as const, format: 'uuid' },
  },
  'X-Rate-Limit-Limit': { description: 'How many requests the client may make in a minute.', schema: count },
  'X-Rate-Limit-Remaining': { description: 'How many are left in this minute.', schema: count },
  'X-Rate-Limit-Reset': {
    description: 'When the minute is over, in seconds since 1970 (UTC).',
    schema: count,
  },
  'WWW-Authenticate': { description: 'How to authenticate (RFC 6750 section 3).', schema: text },
  Allow: { description: 'The methods that the resource supports.', schema: text },
  'Retry-After': { description: 'Seconds to wait.', schema: count },
};

export type HeaderName = keyof typeof HEADERS;

export const FLOW_ID_PARAMETER = {
  name: 'X-Service-Flow-ID',
  in: 'header' as const,
  required: false,
  description: 'A UUID that identifies the flow; anything else is ignored.',
  schema: { type: 'string' as const, format: 'uuid' },
};
