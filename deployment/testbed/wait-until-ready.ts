import { HEALTH_PATH } from '../../backend/http/routes/monitoring-routes.ts';
import type { ServiceReadiness } from '../../backend/monitoring/health.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from './limits.ts';

const READY_URL = `http://127.0.0.1${HEALTH_PATH}/ready`;

/**
 * Resolves once a service has all its connections. The connection to the exchange is the last: a scenario that begins
 * before it would meet a service that is still starting. Rejects with what is missing after `comeUpMs`.
 */
export async function waitUntilReady(
  ask: (request: Request) => Promise<Response | undefined>,
  time: Time,
): Promise<void> {
  const untilMs = time.nowMs() + limits.comeUpMs;
  for (;;) {
    const answer = await ask(new Request(READY_URL));
    const readiness = (await answer?.json()) as ServiceReadiness | undefined;
    if (readiness?.status === 'ready') return;
    if (time.nowMs() >= untilMs) {
      const reasons = readiness?.checks.map(({ reason }) => reason).filter((reason) => reason !== '');
      throw new Error(`The service did not come up: ${reasons?.join(' ') ?? 'it is away'}`);
    }
    await sleep(time, limits.comeUpLookMs);
  }
}
