import { sleep, type Time } from '../../world/time.ts';
import { DEMO_FEATURES } from '../demo-configuration.ts';
import { counted } from '../language/counted.ts';
import type { FleetGroup } from '../language/scenario.ts';
import { BULK } from '../run/request.ts';
import type { Answer, Asked } from '../run/theatre.ts';
import type { Actor } from './actor.ts';
import { limits } from './limits.ts';

export interface FeatureParts {
  readonly time: Time;
  readonly actors: readonly Actor[];
  readonly isReady: (actor: Actor) => boolean;
  readonly ask: (asked: Asked) => Promise<Answer>;
}

/**
 * Configures each group as the scenario has it, by bulk jobs in the name of its fleet, and waits until that is in force.
 * Rejects where it does not come to be: what then happens would not be what the scenario tells.
 */
export async function configureGroups(parts: FeatureParts): Promise<void> {
  const jobs = new Map<string, { readonly features: object; readonly actors: Actor[] }>();
  for (const actor of parts.actors) {
    const { group } = actor;
    if (actor.boxPlan === undefined || group.isOnShelf) continue;
    const features = featuresOf(group);
    if (Object.keys(features).length === 0) continue;
    const key = `${group.fleet} ${JSON.stringify(features)}`;
    const job = jobs.get(key) ?? { features, actors: [] };
    jobs.set(key, job);
    job.actors.push(actor);
  }
  await Promise.all(
    [...jobs.values()].flatMap(({ features, actors }) =>
      Array.from({ length: Math.ceil(actors.length / limits.bulkVehicles) }, (_, page) =>
        configure(
          parts,
          features,
          actors.slice(page * limits.bulkVehicles, (page + 1) * limits.bulkVehicles),
        ),
      ),
    ),
  );
}

/** As the bulk endpoint takes them: their names in snake_case. */
function featuresOf({ features }: FleetGroup): object {
  if (features === 'demo') return DEMO_FEATURES;
  return Object.fromEntries(
    Object.entries(features).map(([name, parameters]) => [name.replaceAll('-', '_'), parameters]),
  );
}

async function configure(
  { time, isReady, ask }: FeatureParts,
  features: object,
  actors: readonly Actor[],
): Promise<void> {
  const as = actors[0]?.group.fleet === 'partner' ? 'partner' : 'owner';
  // A box that is asked before it is up is busy with that until the time-out.
  const upMs = time.nowMs() + limits.comeUpMs;
  while (time.nowMs() < upMs && !actors.every(isReady)) await sleep(time, limits.lookMs);
  const body = { items: actors.map(({ vehicleId }) => ({ id: vehicleId })), feature_configuration: features };
  const made = await ask({ method: 'POST', path: BULK, as, body });
  if (made.status !== 201) throw new Error(`Features could not be configured: ${told(made)}`);
  const { id } = made.body as { readonly id: string };
  const untilMs = time.nowMs() + limits.configureMs;
  for (;;) {
    const seen = await ask({ method: 'GET', path: `${BULK}/${id}?limit=1`, as });
    const { status, counts } = (seen.body ?? {}) as Partial<{ status: string; counts: { failed: number } }>;
    if (status === 'COMPLETED' && counts?.failed === 0) return;
    if (status === 'COMPLETED' || time.nowMs() >= untilMs) {
      const all = await ask({ method: 'GET', path: `${BULK}/${id}?limit=1000`, as });
      throw new Error(
        `Features of ${counted(actors.length, 'vehicle')} could not be configured before the first step: ${reasonIn(all)}`,
      );
    }
    await sleep(time, limits.lookMs);
  }
}

function reasonIn(answer: Answer): string {
  const { items = [] } = (answer.body ?? {}) as { items?: readonly Record<string, unknown>[] };
  const bad = items.find(({ status }) => status !== 'APPLIED');
  return bad === undefined ? told(answer) : JSON.stringify(bad);
}

function told({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body)}`;
}
