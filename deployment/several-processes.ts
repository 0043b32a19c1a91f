import { logFormat } from '../world/log/real-log.ts';
import { realTime } from '../world/time/real-time.ts';
import type { BrokersFacts } from './brokers/brokers-part.ts';
import { refuseTooLargeFleet } from './checks/fleet-checks.ts';
import { limits as checkLimits } from './checks/limits.ts';
import { type ChildPlan, startChild } from './child-part.ts';
import { startConsoleOfParts } from './console/console-of-parts.ts';
import { refuseStoreOptions } from './directory/open-store.ts';
import { openServiceIdentity } from './directory/service-directory.ts';
import type { FleetFacts } from './fleet/fleet-part.ts';
import { LOOPBACK, reachableHost } from './http/http-server.ts';
import { freePortFrom, PORTS } from './http/port.ts';
import { noteOpenHost } from './http/public-address.ts';
import { mqttAuthority } from './input/authority-file.ts';
import { readDriveFiles } from './input/drive-files.ts';
import type { LocalDeploymentOptions } from './shared/deployment-options.ts';
import { Disposables } from './shared/disposables.ts';
import { limits } from './shared/limits.ts';
import type { BackendFacts, ReadyFacts } from './shared/ready-facts.ts';
import type { LiveMode, StartedPart } from './shared/started-part.ts';
import { makeSupervisor, type Supervisor } from './supervisor.ts';

/** Whether so large a fleet runs better in several processes, where there are cores for them. */
export function wantsProcesses(wish: 'auto' | 'one' | 'several', vehicles: number, cores: number): boolean {
  if (wish !== 'auto') return wish === 'several';
  return vehicles >= limits.processesFrom && cores > 1;
}

/**
 * Starts brokers, service and fleet each in a separate process, and restarts those that die. They are the commands
 * `brokers`, `backend` and `fleet` on one data directory. Each keeps its ports over a restart, so that clients find it
 * again.
 */
export function startSeveralProcesses(
  options: LocalDeploymentOptions & {
    readonly rampPerSecond?: number | undefined;
    /** Where the figures of all of them go. */
    readonly live: LiveMode;
  },
): StartedPart<ReadyFacts> {
  const supervisor = makeSupervisor(realTime(), (text) => process.stderr.write(`boxtwin: ${text}\n`));
  const disposables = new Disposables();
  const close = async () => {
    await disposables.close();
    await supervisor.close();
  };
  const ready = start(options, supervisor, disposables).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  ready.catch(() => undefined);
  return {
    reachable: ready,
    ready,
    failed: supervisor.failed,
    // One after the other, each with its own timeout.
    patienceMs: limits.partsShutdownMs,
    figures: () => supervisor.figures(),
    close,
  };
}

async function start(
  options: Parameters<typeof startSeveralProcesses>[0],
  supervisor: Supervisor,
  disposables: Disposables,
): Promise<ReadyFacts> {
  refuseStoreOptions(options);
  mqttAuthority(options.mqtt, options.mqttCa);
  const size = { vehicles: options.vehicles, hasBothEnds: false, isSeveral: true, isDriven: false };
  const notices = [...(options.vehicles < checkLimits.checkedVehicles ? [] : refuseTooLargeFleet(size))];
  // The fleet reads them; their mistakes are reported before anything starts.
  if (options.drives !== undefined) notices.push(...(await readDriveFiles(options.drives)).remarks);
  // The other two have their own notices.
  noteOpenHost(notices, options.host, ['simulator']);
  // Created here, so that all of them have the same one.
  const directory = await openServiceIdentity(options);
  const live = options.live === 'none' ? 'off' : 'on';
  const shared = {
    data: directory.path,
    host: options.host,
    logLevel: levelOf(options.logLevel),
    // Their output may pass through this process: it is no terminal for them.
    logFormat: logFormat(),
    live,
  };
  const child = (part: string, settings: ChildPlan['settings']): ChildPlan => ({
    part,
    settings: { ...shared, ...settings },
    passesErrors: options.live === 'screen',
  });
  if (options.drivers === true)
    notices.push(
      'the vehicles have no drivers: they are in another process than the service (--processes one)',
    );

  const brokers = await startBrokers(options, child, supervisor);
  notices.push(...(brokers?.notices ?? []));
  const mqtt = options.mqtt === 'embedded' ? brokers?.mqttUrl : options.mqtt;
  // The service has to know where the providers of SIM cards are before they run.
  const simulatorPort =
    options.simulatorPort ?? (await freePortFrom(PORTS.simulator.usual, options.host ?? LOOPBACK));
  const fleet = supervisor.add(
    supervised(child('fleet', fleetSettings(options, mqtt, simulatorPort))),
  ) as Promise<FleetFacts>;
  const backend = supervisor.add(
    supervised(
      child('backend', serviceSettings(options, brokers, mqtt, simulatorPort)),
      ({ baseUrl }: BackendFacts) => ({ port: Number(new URL(baseUrl).port) }),
    ),
  ) as Promise<BackendFacts>;
  const [service, { simulatorUrl }] = await Promise.all([backend, fleet]);
  const messages = withTls(service.messages, options.amqp === 'embedded' ? brokers : undefined);
  const consoleUrl =
    options.console === undefined
      ? null
      : await startConsoleOfParts({
          directory,
          ...options.console,
          host: options.host,
          simulatorUrl,
          messages,
          baseUrl: service.baseUrl,
          notices,
          disposables,
        });
  return {
    ...service,
    part: 'processes',
    simulatorUrl,
    consoleUrl,
    messages,
    notices: [...notices, ...service.notices],
  };
}

function fleetSettings(
  options: Parameters<typeof startSeveralProcesses>[0],
  mqtt: string | undefined,
  simulatorPort: number,
): ChildPlan['settings'] {
  return {
    vehicles: options.vehicles,
    simulatorPort,
    mqtt,
    mqttCa: options.mqttCa,
    ramp: options.rampPerSecond,
    // That of the whole deployment is the supervisor's.
    console: 'off',
    drive: options.drives?.files,
    driveColumns: options.drives?.columnsFile,
    route: options.routeFile,
    radio: options.radio,
    weather: options.weather,
    models: options.models,
  };
}

function serviceSettings(
  options: LocalDeploymentOptions,
  brokers: BrokersFacts | undefined,
  mqtt: string | undefined,
  simulatorPort: number,
): ChildPlan['settings'] {
  const isAmqpOurs = options.amqp === 'embedded';
  return {
    mqttCa: options.mqttCa,
    vehicles: options.vehicles,
    mqtt,
    port: options.port,
    publicUrl: options.publicUrl,
    trustedProxy: options.trustedProxies,
    models: options.models,
    simulator: `http://${reachableHost(options.host)}:${simulatorPort}`,
    amqp: isAmqpOurs ? brokers?.amqpUrl : options.amqp,
    amqpAdmin: isAmqpOurs ? brokers?.amqpAdminUrl : options.givenAmqp.adminUrl,
    amqpCa: options.givenAmqp.caFile,
    amqpConsumer: options.givenAmqp.consumer,
    amqpQueueType: options.givenAmqp.queueType,
    store: options.store,
    storeCa: options.storeCa,
    alertUrl: options.alertUrl,
    rateLimit: options.rateLimit,
    answerTimeout: options.answerTimeoutS,
    redirectUri: options.redirectUri,
    client: options.client === undefined ? undefined : `${options.client.id}:${options.client.secret}`,
    corsOrigin: options.corsOrigins,
  };
}

async function startBrokers(
  options: LocalDeploymentOptions,
  child: (part: string, settings: ChildPlan['settings']) => ChildPlan,
  supervisor: Supervisor,
): Promise<BrokersFacts | undefined> {
  if (options.mqtt !== 'embedded' && options.amqp !== 'embedded') return undefined;
  const { mqttPort, amqpPort, amqpsPort, amqpAdminPort, amqpOwner } = options;
  const facts = await supervisor.add(
    supervised(
      child('brokers', { mqttPort, amqpPort, amqpsPort, amqpAdminPort, amqpOwner }),
      (first: BrokersFacts) => ({
        mqttPort: portOf(first.mqttUrl),
        amqpPort: portOf(first.amqpUrl),
        amqpsPort: portOf(first.amqpsUrl),
        amqpAdminPort: portOf(first.amqpAdminUrl),
      }),
    ),
  );
  return facts as BrokersFacts;
}

/** A part that keeps the values that `kept` reads from its first start. */
function supervised<Facts>(plan: ChildPlan, kept: (facts: Facts) => ChildPlan['settings'] = () => ({})) {
  let more: ChildPlan['settings'] = {};
  return {
    name: plan.part,
    start: async () => {
      const child = await startChild({ ...plan, settings: { ...plan.settings, ...more } });
      more = kept(child.facts as Facts);
      return child;
    },
  };
}

/** The service itself knows only the address by which it publishes. */
function withTls(
  messages: ReadyFacts['messages'],
  brokers: BrokersFacts | undefined,
): ReadyFacts['messages'] {
  if (messages === null || brokers === undefined) return messages;
  const url = new URL(brokers.amqpsUrl);
  url.username = messages.account?.username ?? '';
  url.password = messages.account?.password ?? '';
  return { ...messages, tlsUrl: url.href, caPath: brokers.amqpCa };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The commands do not have `silent`. */
function levelOf(level: LocalDeploymentOptions['logLevel']): string {
  return level === 'silent' ? 'error' : level;
}
