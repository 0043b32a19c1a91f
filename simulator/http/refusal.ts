/** A refusal of a request, in the form of RFC 9457. The status determines type and title. */
export interface ControlRefusal {
  readonly status: keyof typeof TITLES;
  readonly detail: string;
  /** For 405. */
  readonly allow?: string;
}

const TITLES = {
  400: ['/problems/validation-error', 'Validation Error'],
  401: ['/problems/unauthorized', 'Unauthorized'],
  403: ['/problems/forbidden-resource', 'Accessing this resource is forbidden.'],
  404: ['/problems/resource-not-found', 'The resource cannot be found.'],
  405: ['/problems/method-not-allowed', 'Method not allowed.'],
  409: ['/problems/vehicle/conflicting-state', 'The current state of the vehicle does not allow it.'],
  413: ['/problems/payload-too-large', 'Payload too large.'],
  415: ['/problems/unsupported-media-type', 'Unsupported media type.'],
  421: ['/problems/misdirected-request', 'Misdirected request.'],
  429: ['/problems/too-many-requests', 'Too many requests.'],
  500: ['/problems/internal-server-error', 'Internal Server Error'],
  504: ['/problems/vehicle/no-connection', 'No connection to vehicle'],
} as const;

/** Of every answer: no browser stores it, guesses its type, or shows it within a page of another origin. */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The answer to a refused request. */
export function problemResponse({ status, detail, allow }: ControlRefusal): Response {
  const [type, title] = TITLES[status];
  const headers = new Headers({ ...ANSWER_HEADERS, 'content-type': 'application/problem+json' });
  if (allow !== undefined) headers.set('allow', allow);
  return new Response(JSON.stringify({ type, title, status, detail }), { status, headers });
}
