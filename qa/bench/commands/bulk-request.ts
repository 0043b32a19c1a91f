import { openTestService } from '../../../test/support/http/test-service.ts';
import type { Duration } from '../measure/figures.ts';

const PATH = '/configure-vehicle-telematics-unit-bulk';
/** The most vehicles that a request may name. */
const load = { vehicles: 10_000 } as const;

/**
 * Seconds on the wall from a bulk request to its 201, with the store in memory. From the second round on the job
 * overtakes the one before it at each vehicle.
 */
export async function bulkRequest(rounds: number): Promise<Duration> {
  const stage = await openTestService();
  const token = await stage.token(['vehicle-configuration']);
  const items = Array.from({ length: load.vehicles }, (_, index) => ({ id: `V${10_000 + index}` }));
  const body = JSON.stringify({ items, feature_configuration: { tracking: {} } });
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const beganMs = performance.now();
    const answer = await stage.ask('POST', PATH, {
      token,
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (answer.status !== 201) throw new Error(`The bulk request was refused: ${await answer.text()}`);
    durations.push((performance.now() - beganMs) / 1_000);
  }
  return { name: `bulk request of ${load.vehicles} vehicles, to its 201`, unit: 's', durations, aim: 1 };
}
