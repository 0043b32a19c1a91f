import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlApiAt } from '../../deployment/http/control-api.ts';
import { startLocalDeployment } from '../../deployment/local-deployment.ts';
import type { ClientVariables } from '../../deployment/shared/client-variables.ts';
import { Disposables } from '../../deployment/shared/disposables.ts';
import type { ReadyFacts } from '../../deployment/shared/ready-facts.ts';
import type { Certificate } from '../../judge/client/certificate.ts';
import { judgeClient } from '../../judge/client/judge.ts';
import type { PointName } from '../../judge/client/points.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import { perform, type Stage } from './act.ts';
import { AmqpObserver } from './amqp-observer.ts';
import { observeApi } from './api-observer.ts';
import { startClient } from './client-process.ts';
import { EventLog } from './event-log.ts';
import { limits } from './limits.ts';
import { play } from './play.ts';
import { startWitness } from './witness.ts';

export interface CertifyOptions {
  readonly seed: number;
  readonly vehicles: number;
  /** Absent: all points, and every episode. */
  readonly only?: readonly PointName[] | undefined;
  /** Absent: one round. */
  readonly minutes?: number | undefined;
  /** Starts the client; absent: it is started elsewhere. */
  readonly command?: readonly string[] | undefined;
  /** Ends the run early; what was observed by then is judged. */
  readonly ended: AbortSignal;
  /** A client can begin. */
  ready(variables: ClientVariables): void;
  /** The progress of the run, a line each. */
  tell(line: string): void;
}

/**
 * Starts a service with its fleet, applies the episodes to a client, watches it, and judges. Undefined: the run was
 * ended before a client connected. Rejects with a `CommandError` where the client cannot be started.
 */
export async function certifyClient(options: CertifyOptions): Promise<Certificate | undefined> {
  const disposables = new Disposables();
  try {
    return await watchClient(options, disposables);
  } finally {
    await disposables.close();
  }
}

async function watchClient(
  options: CertifyOptions,
  disposables: Disposables,
): Promise<Certificate | undefined> {
  const { seed, only, ended } = options;
  const time = realTime();
  const log = new EventLog(time);
  const ownMark = crypto.randomUUID();
  const broker = new AmqpObserver(log);
  const api = observeApi(log, ownMark);
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-certify-'));
  await disposables.add(() => rmSync(place, { recursive: true, force: true }));
  const facts = await startService(options, disposables, { place, broker, api });
  const { clientId, clientSecret, baseUrl, simulatorUrl } = facts;
  const stage: Stage = {
    broker,
    baseUrl,
    ownMark,
    control: controlApiAt(simulatorUrl),
    client: { id: clientId, secret: clientSecret },
    boxIds: facts.boxes.flatMap(({ vehicleId, boxId }) => (vehicleId === null ? [] : [boxId])),
  };
  await stage.control('PUT', '/service/token-lifetime', { seconds: limits.tokenLifeS });
  await perform(stage, { kind: 'boxes', action: 'park', body: {} }, 0);
  const witness = await startWitness(log);
  await disposables.add(() => witness.close());
  const variables = variablesOf(facts, witness.url);
  options.ready(variables);

  const over = new AbortController();
  ended.addEventListener('abort', () => over.abort());
  if (ended.aborted) over.abort();
  if (options.command !== undefined) {
    const client = await startClient(options.command, variables);
    await disposables.add(() => client.end());
    let isOver = false;
    over.signal.addEventListener('abort', () => {
      isOver = true;
    });
    void client.ended.then((code) => {
      if (isOver) return;
      log.add({ kind: 'ended', code });
      over.abort();
    });
  } else await Promise.race([log.begun.promise, aborted(over.signal)]);
  if (options.command === undefined && log.events.length === 0) return undefined;

  const startMs = time.nowMs();
  await play({
    stage,
    log,
    time,
    only,
    ended: over.signal,
    chance: realRandom(seed).stream('certify-client/order'),
    lengthMs: (options.minutes ?? 0) * 60_000,
    quotaResetMs: api.quotaResetMs,
    tell: options.tell,
  });
  // What it does from here on, such as disconnecting, is no part of the run.
  const run = {
    startMs,
    endMs: time.nowMs(),
    events: [...log.events],
    answerTimeoutMs: limits.answerTimeoutS * 1_000,
  };
  over.abort();
  return { seed, run, points: judgeClient(run, only), droppedEvents: log.dropped };
}

/** The service and its fleet, watched. Resolves when the boxes are connected. */
async function startService(
  { seed, vehicles }: CertifyOptions,
  disposables: Disposables,
  parts: {
    readonly place: string;
    readonly broker: AmqpObserver;
    readonly api: ReturnType<typeof observeApi>;
  },
): Promise<ReadyFacts> {
  const deployment = startLocalDeployment({
    seed,
    vehicles,
    data: join(parts.place, 'data'),
    isFresh: false,
    port: 0,
    simulatorPort: 0,
    mqttPort: 0,
    amqpPort: 0,
    amqpsPort: 0,
    mqtt: 'embedded',
    amqp: 'embedded',
    givenAmqp: {},
    radio: 'ideal',
    logLevel: 'silent',
    answerTimeoutS: limits.answerTimeoutS,
    amqpTap: parts.broker,
    beforeApi: parts.api.beforeApi,
  });
  await disposables.add(() => deployment.close());
  return deployment.ready;
}

function variablesOf(
  { baseUrl, clientId, clientSecret, messages }: ReadyFacts,
  witnessUrl: string,
): ClientVariables {
  return {
    BOXTWIN_API_URL: baseUrl,
    BOXTWIN_CLIENT_ID: clientId,
    BOXTWIN_CLIENT_SECRET: clientSecret,
    BOXTWIN_AMQP_URL: messages?.url ?? '',
    BOXTWIN_AMQP_QUEUE: messages?.queue ?? '',
    BOXTWIN_AMQP_CA: messages?.caPath ?? '',
    BOXTWIN_WITNESS_URL: witnessUrl,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
