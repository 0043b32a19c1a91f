import type { Line } from '../scenarios/causes/call.ts';
import { realTime } from '../world/real-time.ts';
import { sleep } from '../world/time.ts';

/** The line to a running service and its simulator, over sockets. `call` rejects where nobody answers. */
export function socketLine(addresses: { readonly api: string; readonly simulator: string }): Line {
  const time = realTime();
  return {
    nowMs: () => time.nowMs(),
    pause: (delayMs) => sleep(time, delayMs),
    async call({ face, method, path, headers, body }) {
      const response = await fetch(`${addresses[face]}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
  };
}
