import { z } from 'zod';
import type { Stage } from './stage.ts';

/** A job, or where it has no id the PUT of one vehicle that was answered with 200; in the order of their requests. */
export interface Requested {
  readonly jobId: string | undefined;
  readonly vehicleIds: readonly string[];
  /** As in the request's body. */
  readonly features: Readonly<Record<string, object>>;
}

const jobBody = z.looseObject({
  status: z.string(),
  counts: z.looseObject({ total: z.number(), pending: z.number(), applied: z.number(), failed: z.number() }),
  items: z.array(
    z.looseObject({
      id: z.string(),
      status: z.enum(['PENDING', 'APPLIED', 'FAILED']),
      reason: z.looseObject({ type: z.string(), detail: z.string() }).optional(),
      attempts: z.number(),
      last_attempt_at: z.string().optional(),
    }),
  ),
  next_page_token: z.string().optional(),
});

type Item = z.infer<typeof jobBody>['items'][number];
export interface BulkResults {
  readonly items: ReadonlyMap<string, Item>;
}

/** How a parameter of a request is called among the settings of a box. */
const SETTING_OF: Readonly<Record<string, string>> = {
  time_interval_in_seconds: 'tracking.timeIntervalS',
  delay_in_seconds: 'immobilizer.delayS',
};

/**
 * Whether each vehicle of each job has exactly one result with its reason, and whether the results are those of the
 * boxes: what was applied last is in force in the box and in the service's record, and what was never applied is not.
 */
export async function judgeBulk(
  stage: Stage,
  requested: readonly Requested[],
  unknownId: string,
): Promise<{ readonly jobs: readonly BulkResults[]; readonly findings: readonly string[] }> {
  const findings: string[] = [];
  const jobs: BulkResults[] = [];
  const applied = new Map<string, unknown>();
  const asked = new Set<string>();
  for (const { jobId, vehicleIds, features } of requested) {
    const results = jobId === undefined ? undefined : await readJob(stage, jobId, vehicleIds, findings);
    if (results !== undefined) jobs.push(results);
    for (const vehicleId of vehicleIds) {
      const item = results?.items.get(vehicleId);
      if (vehicleId === unknownId && item?.reason?.type !== '/problems/resource-not-found')
        findings.push(`the unknown vehicle became ${JSON.stringify(item)}`);
      for (const [name, value] of parametersIn(features)) {
        asked.add(`${vehicleId} ${name} ${String(value)}`);
        if (jobId === undefined || item?.status === 'APPLIED') applied.set(`${vehicleId} ${name}`, value);
      }
    }
  }
  for (const box of stage.fleet.boxes.values()) {
    const { vehicleId } = box.plan;
    const { configuration } = believed.parse(box.belief());
    for (const [name, setting] of Object.entries(SETTING_OF)) {
      const expected = applied.get(`${vehicleId} ${name}`);
      const has = configuration[setting];
      if (expected !== undefined && has !== expected)
        findings.push(`${vehicleId} has ${setting} ${String(has)}, but ${String(expected)} was applied last`);
      if (expected === undefined && asked.has(`${vehicleId} ${name} ${String(has)}`))
        findings.push(`${vehicleId} has ${setting} ${String(has)}, but by its results it was never applied`);
    }
    const { revision } = await stage.store.configuration.read(box.plan.boxId);
    if (revision !== 0 && revision !== configuration['revision'])
      findings.push(
        `${vehicleId} has revision ${String(configuration['revision'])}, the service says ${revision}`,
      );
  }
  return { jobs, findings };
}

const believed = z.looseObject({ configuration: z.record(z.string(), z.unknown()) });

/** Every parameter of a request by its name that a setting of a box stands for. */
function parametersIn(features: Requested['features']): readonly [string, unknown][] {
  return Object.values(features)
    .flatMap((parameters) => Object.entries(parameters) as [string, unknown][])
    .filter(([name]) => name in SETTING_OF);
}

async function readJob(
  stage: Stage,
  jobId: string,
  vehicleIds: readonly string[],
  findings: string[],
): Promise<BulkResults> {
  const token = await stage.token();
  const items = new Map<string, Item>();
  let next: string | undefined;
  do {
    const query = next === undefined ? '?limit=5' : `?limit=5&page_token=${next}`;
    const response = await stage.call(
      'GET',
      `/configure-vehicle-telematics-unit-bulk/${jobId}${query}`,
      token,
    );
    const body = jobBody.parse(await response.json());
    if (body.status !== 'COMPLETED' || body.counts.pending !== 0)
      findings.push(`job ${jobId} is ${body.status} with ${body.counts.pending} pending`);
    if (
      body.counts.total !== vehicleIds.length ||
      body.counts.applied + body.counts.failed !== vehicleIds.length
    )
      findings.push(`job ${jobId} counts ${JSON.stringify(body.counts)}`);
    for (const item of body.items) {
      if (items.has(item.id)) findings.push(`job ${jobId} has ${item.id} twice`);
      items.set(item.id, item);
      if ((item.status === 'FAILED') !== (item.reason !== undefined))
        findings.push(
          `job ${jobId}: ${item.id} is ${item.status} with the reason ${item.reason?.type ?? 'none'}`,
        );
    }
    next = body.next_page_token;
  } while (next !== undefined);
  for (const vehicleId of vehicleIds)
    if (!items.has(vehicleId)) findings.push(`job ${jobId} has no result for ${vehicleId}`);
  return { items };
}
