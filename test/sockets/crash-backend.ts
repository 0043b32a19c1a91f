import { startService } from '../../backend/service.ts';
import { openSqliteStore } from '../../backend/store/sqlite.ts';
import type { BoxPlan } from '../../simulator/fleet.ts';
import { realLog } from '../../world/real-log.ts';
import { makeSealKey } from '../../world/real-seal.ts';
import { openRealWorld } from '../../world/real-world.ts';
import { type CrashPoint, dyingAt } from './crash-point.ts';

/** What the process is told, as JSON in its first argument. */
export interface CrashBackendOptions {
  /** Of the data directory; the flash in it is the boxes', who live elsewhere. */
  readonly storePath: string;
  readonly mqttUrl: string;
  readonly mqttPassword: string;
  /** Whether the broker has forgotten its sessions since the last backend. */
  readonly brokerIsNew: boolean;
  readonly amqpUrl: string;
  readonly fleetId: string;
  readonly queue: string;
  readonly plans: readonly BoxPlan[];
  readonly crash?: { readonly point: CrashPoint; readonly after: number };
}

/** The backend alone, in a process of its own: the boxes and the brokers outlive it. Says `ready`, and runs until it dies. */
const options = JSON.parse(process.argv[2] ?? '') as CrashBackendOptions;
const { fleetId, queue, crash } = options;
const real = await openRealWorld({
  seed: 1,
  mqttUrl: options.mqttUrl,
  amqpUrl: options.amqpUrl,
  flashPath: `${options.storePath}.no-flash`,
  sealKey: { ...(await makeSealKey()) },
  log: realLog('silent'),
});
const file = openSqliteStore(options.storePath);
await file.access.saveFleet({ id: fleetId, name: 'Crash' });
for (const plan of options.plans) {
  await file.vehicles.save({
    id: plan.vehicleId,
    fleetId,
    boxId: plan.boxId,
    sim: plan.sim,
    boxSecretHash: real.seal.digest(plan.secret),
    generation: plan.generation,
    model: plan.model,
    setupStatus: 'SUCCEEDED',
    masterData: { vin: plan.vin, license_plate: plan.licensePlate },
    tags: [],
    maintenance: false,
    atMs: real.time.nowMs(),
  });
}
const ports = { world: real, store: file };
const { world, store } = crash === undefined ? ports : dyingAt(crash.point, crash.after, ports);
const service = startService(world, store, {
  baseUrl: 'http://127.0.0.1',
  mqtt: { clientId: `backend-${fleetId}`, username: 'backend', password: options.mqttPassword },
  brokerIsNew: options.brokerIsNew,
  answerTimeoutMs: 20_000,
  queues: [{ name: queue, fleetId, messages: 'VehicleStateReceived' }],
});
await service.started;
process.stdout.write('ready\n');
