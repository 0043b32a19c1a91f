/** Commands that do not change a vehicle. */
const HARMLESS: readonly string[] = ['request-vehicle-state', 'draw-attention'];

/** One request and its answer, as far as it may concern one vehicle. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/**
 * The id of the vehicle that a client's command to the API has moved, or may have moved; undefined: none. A refused
 * command has moved nothing. Changes of the rental are detected in the vehicle's record instead.
 */
export function movedByCommand({ method, path, status }: AnsweredRequest): string | undefined {
  const [, id, command] = /^\/vehicles\/([^/]+)\/commands\/([^/]+)$/.exec(path) ?? [];
  if (method !== 'POST' || command === undefined || HARMLESS.includes(command)) return undefined;
  return isDone(status) || status >= 500 ? id : undefined;
}

/** The box id, vehicle id or maker's id of an action on the simulator; undefined: none. */
export function movedByControlApi({ method, path, status }: AnsweredRequest): string | undefined {
  const [, id] = /^\/(?:boxes|maker-vehicles)\/([^/]+)\/./.exec(path) ?? [];
  return method === 'GET' || !isDone(status) ? undefined : id;
}

function isDone(status: number): boolean {
  return status >= 200 && status < 300;
}

/** A request and its answer, as far as they show which vehicle was moved. */
export function answeredRequestOf(request: Request, answer: Response): AnsweredRequest {
  return { method: request.method, path: new URL(request.url).pathname, status: answer.status };
}
