import { sleep, type Time } from '../../../world/time/time.ts';
import { counted } from '../../language/document/counted.ts';
import type { FleetGroup } from '../../language/document/scenario.ts';
import { BULK } from '../../run/request.ts';
import type { ApiAnswer, ApiRequest } from '../port/testbed.ts';
import { DEMO_FEATURES } from './demo-configuration.ts';
import { limits } from './limits.ts';
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
    const features = featuresOf(group);
    if (Object.keys(features).length === 0) continue;
    const key = `${group.fleet} ${JSON.stringify(features)}`;
    const job = jobs.get(key) ?? { features, vehicles: [] };
    jobs.set(key, job);
    job.vehicles.push(vehicle);
  }
  await Promise.all(
    [...jobs.values()].flatMap(({ features, vehicles }) =>
      Array.from({ length: Math.ceil(vehicles.length / limits.bulkVehicles) }, (_, page) =>
        configure(
          parts,
          features,
          vehicles.slice(page * limits.bulkVehicles, (page + 1) * limits.bulkVehicles),
        ),
      ),
    ),
  );
}

/** The features as the bulk endpoint takes them, with names in snake_case. */
function featuresOf({ features }: FleetGroup): object {
  if (features === 'demo') return DEMO_FEATURES;
  return Object.fromEntries(
    Object.entries(features).map(([name, parameters]) => [name.replaceAll('-', '_'), parameters]),
  );
}

async function configure(
  { time, isReady, ask }: FeatureSetup,
  features: object,
  vehicles: readonly PlannedVehicle[],
): Promise<void> {
  const as = vehicles[0]?.group.fleet === 'partner' ? 'partner' : 'owner';
  // A request to a box that is not up yet would block it until the time-out.
  const upMs = time.nowMs() + limits.comeUpMs;
  while (time.nowMs() < upMs && !vehicles.every(isReady)) await sleep(time, limits.lookMs);
  const body = {
    items: vehicles.map(({ vehicleId }) => ({ id: vehicleId })),
    feature_configuration: features,
  };
  const made = await ask({ method: 'POST', path: BULK, as, body });
  if (made.status !== 201) throw new Error(`Features could not be configured: ${answerText(made)}`);
  const { id } = made.body as { readonly id: string };
  const untilMs = time.nowMs() + limits.configureMs;
  for (;;) {
    const seen = await ask({ method: 'GET', path: `${BULK}/${id}?limit=1`, as });
    const { status, counts } = (seen.body ?? {}) as Partial<{ status: string; counts: { failed: number } }>;
    if (status === 'COMPLETED' && counts?.failed === 0) return;
    if (status === 'COMPLETED' || time.nowMs() >= untilMs) {
      const all = await ask({ method: 'GET', path: `${BULK}/${id}?limit=1000`, as });
      throw new Error(
        `Features of ${counted(vehicles.length, 'vehicle')} could not be configured before the first step: ${reasonIn(all)}`,
      );
    }
    await sleep(time, limits.lookMs);
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
