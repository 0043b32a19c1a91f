import { fetchWithAccount } from './account-url.ts';

/** Asks the simulator's control API: the JSON of its answer, or a rejection that says what it refused and why. */
export type ControlApi = (method: string, path: string, body?: unknown) => Promise<unknown>;

export function controlApiAt(simulatorUrl: string): ControlApi {
  return async (method, path, body) => {
    const response = await fetchWithAccount(`${simulatorUrl}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path} of the simulator: ${response.status} ${reason(text)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** The detail of a problem; the text itself where it is none. */
function reason(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === 'object' && problem !== null && 'detail' in problem) return String(problem.detail);
  } catch {
    // It is no JSON: the text says it.
  }
  return text;
}
