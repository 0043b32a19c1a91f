const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The limits that the API promises (docs/api.md, Limits): sizes, counts and times. */
export const LIMITS = {
  request: {
    /** Body of a request that has no other limit. */
    bodyBytes: 65_536,
    headerBytes: 16_384,
    /** How long headers, and a whole request, may take to arrive. */
    headersMs: 10_000,
    wholeMs: 30_000,
    ifMatchCharacters: 1_000,
  },
  /** Calls of one client, and its token requests from one address, in a window. */
  quota: { windowMs: 60_000, requests: 600, tokenRequests: 300 },
  page: { standard: 50, maximum: 1_000, searchCharacters: 100 },
  /** How long others may take for an answer. */
  answer: { vehicleMs: 20_000, simProviderMs: 10_000 },
  access: {
    /** `expires_in` */
    tokenLifeS: 3_600,
    /** From its issue: a client that is in use renews it by rotation. */
    refreshLifeMs: 14 * DAY_MS,
    /** RFC 6749 section 4.1.2 recommends no more than ten minutes; a redirect takes a moment. */
    codeLifeMs: 60_000,
    idTokenLifeS: 3_600,
    /** How long a token of a deleted client, or of a revoked grant, may still be accepted. */
    goneMs: 5_000,
    clientIdCharacters: 64,
    secretCharacters: 256,
    redirectUris: 20,
    redirectUriCharacters: 500,
    stateCharacters: 1_024,
    nonceCharacters: 256,
    userNameCharacters: 64,
    passwordCharacters: 256,
    leastPasswordCharacters: 10,
  },
  vehicle: {
    nameCharacters: 64,
    plateCharacters: 20,
    firstYear: 1900,
    lastYear: 2100,
    customFields: 50,
    customFieldCharacters: 256,
    tags: 50,
    tagCharacters: 64,
    makerIdCharacters: 64,
    /** The longest time that a box counts as not ready after a going-down or a hello. */
    notReadyMs: 3 * 60_000,
  },
  bulk: {
    vehicles: 10_000,
    /** 10,000 ids and all seven features need a fifth of it. */
    bodyBytes: 2 * 1024 * 1024,
    /** Jobs that one fleet may keep, beyond which the oldest completed ones are removed early; and their vehicles. */
    fleetJobs: 1_000,
    fleetVehicles: 1_000_000,
    /** Waits between two attempts: doubled from the first to the last, and a random part of up to a tenth less. */
    firstWaitMs: 30_000,
    lastWaitMs: HOUR_MS,
    jitterFraction: 0.1,
    /** The time after which an unconfirmed item fails. */
    jobMs: 12 * HOUR_MS,
    /** How long a job can be read after its creation. */
    keptMs: 7 * DAY_MS,
  },
  subscription: {
    /** Subscriptions of a fleet, including those that are being created or deleted. */
    perFleet: 100,
    discriminatorCharacters: 64,
    /** How long a message waits in a queue. */
    messageTtlMs: 7 * DAY_MS,
  },
} as const;

/** The form of the id of a vehicle, and of a fleet. */
export const ID_FORM = '[A-Z0-9]{5,12}';
