import { CommandError } from '../../deployment/shared/command-error.ts';
import { BOX_POINTS } from '../../judge/certify/boxes/box-points.ts';
import { type CertifyReport, isWanted, type Point } from '../../judge/certify/point.ts';
import type { IdGenerator } from '../../world/ids/ids.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import { tryBox } from './box-trials.ts';
import { ServiceStandIn } from './service-stand-in.ts';

/** What boxes are certified with. */
export interface CertifyBoxesOptions {
  /** For display: without its password. */
  readonly subject: string;
  readonly mqtt: MqttClient;
  readonly account: { readonly username: string; readonly password: string; readonly clientId: string };
  /** 16 hexadecimal digits each; none: every box that sends something within `listenMs`. */
  readonly boxIds: readonly string[];
  readonly listenMs: number;
  readonly time: Time;
  readonly ids: Pick<IdGenerator, 'ulid'>;
  /** Only points whose ids contain one of these texts; none: all. */
  readonly only: readonly string[];
  progress(text: string): void;
}

/**
 * Replaces the service, takes each box through the trials, and judges the traffic on the wire. Rejects with a
 * `CommandError` where the broker refuses or no box sends anything.
 */
export async function certifyBoxes(options: CertifyBoxesOptions): Promise<CertifyReport> {
  const { time, boxIds, progress, only } = options;
  const service = new ServiceStandIn(time);
  await service.open(options.mqtt, options.account);
  try {
    progress('listening for boxes');
    await heardOf(service, options);
    const logs = [...service.logs.values()].filter(
      ({ boxId }) => boxIds.length === 0 || boxIds.includes(boxId),
    );
    progress(`trying ${logs.length} boxes`);
    const tried = await Promise.all(
      logs.map(async (log) => ({ log, trials: await tryBox({ service, time, ids: options.ids }, log) })),
    );
    if (service.end !== '')
      throw new CommandError(`The connection to the MQTT broker ended meanwhile: ${service.end}.`, 1);
    const points = tried.flatMap((evidence) =>
      BOX_POINTS.filter(({ plan }) => isWanted(plan.id, only)).map(({ plan, judge }): Point => {
        const { boxId } = evidence.log;
        return { ...plan, id: `${plan.id}: ${boxId}`, ...judge(evidence) };
      }),
    );
    return { subject: options.subject, points };
  } finally {
    await service.close();
  }
}

/** Waits until all named boxes have sent something, or until the end of the listening time. */
async function heardOf(
  service: ServiceStandIn,
  { time, boxIds, listenMs }: CertifyBoxesOptions,
): Promise<void> {
  const untilMs = time.nowMs() + listenMs;
  const missing = () => boxIds.filter((boxId) => !service.logs.has(boxId));
  while (time.nowMs() < untilMs && (boxIds.length === 0 || missing().length > 0))
    await sleep(time, limits.lookMs);
  if (service.logs.size > 0 && missing().length === 0) return;
  const who = boxIds.length === 0 ? 'No box' : `Nothing of ${missing().join(', ')}`;
  throw new CommandError(
    `${who} was heard of within ${listenMs / 1_000} s. See that boxes publish below boxes/<partition>/<box id>/ at that broker (docs/wire.md, Topics).`,
    1,
  );
}
