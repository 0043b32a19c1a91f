import { fetchWithAccount } from '../shared/account-url.ts';
import { installationHeaders } from './installation.ts';

/** Calls the simulator's control API: the JSON of its answer, or a rejection with its refusal and the reason. */
export type ControlApi = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** `installation`: which installation's simulator may answer; absent: any. */
export function controlApiAt(simulatorUrl: string, installation?: string): ControlApi {
  return async (method, path, body) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetchWithAccount(`${simulatorUrl}${path}`, {
      method,
      headers: { ...json, ...installationHeaders(installation) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
    // It is not JSON: the text is the reason.
  }
  return text;
}
