import { type Http, HttpUnreachable } from '../../world/http/http.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { simulatorsOf } from '../directory/address-files.ts';
import { installationHeaders } from '../http/installation.ts';
import { limits } from '../shared/limits.ts';

/**
 * Where the service calls SIM providers and makers whose address is in its data directory (RFC 6761: a reserved name).
 */
export const SIMULATOR_OF_DATA = 'http://simulator.invalid';

/** What the calls of the service to a simulator need. */
export interface SimulatorPlace {
  /** As it is given, or `SIMULATOR_OF_DATA`. */
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  /** Which installation's simulator may answer; undefined: any. */
  readonly installation: string | undefined;
  readonly time: Time;
}

/**
 * The same calls, but those to the simulator name their installation, and go to the current address of the fleet of the
 * data directory: it may start later than the service, and again at another port. So calls in the first seconds wait for
 * it within their time. Where none runs they reject with `HttpUnreachable`, and are not sent.
 */
export function httpWithSimulator(http: Http, { url, data, installation, time }: SimulatorPlace): Http {
  const waitsUntilMs = time.nowMs() + limits.fleetWaitMs;
  return {
    async call(request) {
      if (!request.url.startsWith(`${url}/`)) return http.call(request);
      const headers = { ...request.headers, ...installationHeaders(installation) };
      if (url !== SIMULATOR_OF_DATA) return http.call({ ...request, headers });
      const calledMs = time.nowMs();
      const untilMs = Math.min(waitsUntilMs, calledMs + request.timeoutMs);
      let [found] = await simulatorsOf(data);
      while (found === undefined && time.nowMs() < untilMs) {
        await sleep(time, limits.brokersLookMs);
        [found] = await simulatorsOf(data);
      }
      if (found === undefined)
        throw new HttpUnreachable(
          `no fleet runs on ${data}: start "boxtwin fleet" on it, or give --simulator`,
          { isSent: false },
        );
      return http.call({
        ...request,
        headers,
        timeoutMs: request.timeoutMs - (time.nowMs() - calledMs),
        url: `${new URL(found).origin}${request.url.slice(url.length)}`,
      });
    },
  };
}
