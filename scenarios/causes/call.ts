/** A request to one of the two faces. */
export interface Request {
  readonly face: 'api' | 'simulator';
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Makes a request; rejects where nobody answers. */
export type Call = (request: Request) => Promise<Answer>;

/** Resolves after so long. */
export type Pause = (delayMs: number) => Promise<void>;

/** What causes are brought about over. */
export interface Line {
  readonly call: Call;
  readonly pause: Pause;
  nowMs(): number;
}

/** The answer's JSON; undefined where it is none. */
export function bodyOf({ text }: Pick<Answer, 'text'>): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A request of the simulator's control face or of the service, a body as JSON. */
export function jsonRequest(
  face: Request['face'],
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Request {
  if (body === undefined) return { face, method, path, headers };
  return {
    face,
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Somebody refused what is a step of bringing a cause about. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** The JSON of an answer with a status of 2xx. Rejects with `NotDone`, which quotes the answer, for any other. */
export async function done(line: Line, request: Request): Promise<unknown> {
  const answer = await line.call(request);
  if (answer.status < 300) return bodyOf(answer);
  throw new NotDone(`${request.method} ${request.path} answered ${answer.status}: ${answer.text}`);
}
