import { BULK_PATH } from '../../../contract/operation.ts';
import { counted } from '../../../judge/wording.ts';
import { sleep, type Time } from '../../../world/time/time.ts';
import type { ApiRequest } from '../../language/steps/request.ts';
import { testbedLimits } from '../../limits.ts';
import type { ApiAnswer } from '../port/testbed.ts';
import type { PlannedVehicle } from './vehicles/planned-vehicle.ts';

export interface FeatureSetup {
  readonly time: Time;
  readonly vehicles: readonly PlannedVehicle[];
  readonly isReady: (vehicle: PlannedVehicle) => boolean;
  readonly ask: (request: ApiRequest) => Promise<ApiAnswer>;
}

/**
 * Configures each group as the scenario says, by bulk jobs of its fleet, and waits until the configuration is
 * in force. Rejects if it does not come into force, since the run would not be that of the scenario.
 */
export async function configureFleet(parts: FeatureSetup): Promise<void> {
  const jobs = new Map<string, { readonly features: object; readonly vehicles: PlannedVehicle[] }>();
  for (const vehicle of parts.vehicles) {
    const { group } = vehicle;
    if (vehicle.boxPlan === undefined || group.isOnShelf) continue;
    const features = vehicle.initialFeatures;
    if (Object.keys(features).length === 0) continue;
    const key = `${group.fleet} ${JSON.stringify(features)}`;
    const job = jobs.get(key) ?? { features, vehicles: [] };
    jobs.set(key, job);
    job.vehicles.push(vehicle);
  }
  await Promise.all(
    [...jobs.values()].flatMap(({ features, vehicles }) =>
      Array.from({ length: Math.ceil(vehicles.length / testbedLimits.bulkVehicles) }, (_, page) =>
        configure(
          parts,
          features,
          vehicles.slice(page * testbedLimits.bulkVehicles, (page + 1) * testbedLimits.bulkVehicles),
        ),
      ),
    ),
  );
}

async function configure(
  { time, isReady, ask }: FeatureSetup,
  features: object,
  vehicles: readonly PlannedVehicle[],
): Promise<void> {
  const as = vehicles[0]?.group.fleet === 'partner' ? 'partner' : 'owner';
  // A request to a box that is not up yet would block it until the timeout.
  const upMs = time.nowMs() + testbedLimits.comeUpMs;
  while (time.nowMs() < upMs && !vehicles.every(isReady)) await sleep(time, testbedLimits.lookMs);
  const body = {
    items: vehicles.map(({ vehicleId }) => ({ id: vehicleId })),
    feature_configuration: features,
  };
  const made = await ask({ method: 'POST', path: BULK_PATH, as, body });
  if (made.status !== 201) throw new Error(`Features could not be configured: ${answerText(made)}`);
  const { id } = made.body as { readonly id: string };
  const untilMs = time.nowMs() + testbedLimits.configureMs;
  for (;;) {
    const seen = await ask({ method: 'GET', path: `${BULK_PATH}/${id}?limit=1`, as });
    const { status, counts } = (seen.body ?? {}) as Partial<{ status: string; counts: { failed: number } }>;
    if (status === 'COMPLETED' && counts?.failed === 0) return;
    if (status === 'COMPLETED' || time.nowMs() >= untilMs) {
      const all = await ask({ method: 'GET', path: `${BULK_PATH}/${id}?limit=1000`, as });
      throw new Error(
        `Features of ${counted(vehicles.length, 'vehicle')} could not be configured before the first step: ${reasonIn(all)}`,
      );
    }
    await sleep(time, testbedLimits.lookMs);
  }
}

function reasonIn(answer: ApiAnswer): string {
  const { items = [] } = (answer.body ?? {}) as { items?: readonly Record<string, unknown>[] };
  const bad = items.find(({ status }) => status !== 'APPLIED');
  return bad === undefined ? answerText(answer) : JSON.stringify(bad);
}

function answerText({ status, body }: ApiAnswer): string {
  return `${status} ${JSON.stringify(body)}`;
}
