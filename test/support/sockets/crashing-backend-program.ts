import { startService } from '../../../backend/service.ts';
import { openThreadedStore } from '../../../backend/store/sqlite/threaded-store.ts';
import { serviceSettings } from '../../../scenarios/service-settings.ts';
import type { BoxPlan } from '../../../simulator/box-plan.ts';
import { makeSigningKey } from '../../../world/crypto/real-crypto.ts';
import { realLog } from '../../../world/log/real-log.ts';
import { openRealWorld } from '../../../world/real-world.ts';
import { type CrashPoint, withCrashPoint } from './crash-points.ts';

/** The settings of the process, as JSON in its first argument. */
export interface CrashingBackendOptions {
  /** In the data directory; its flash belongs to the boxes, which run in another process. */
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

/**
 * Only the backend, in a separate process: boxes and brokers survive it. Prints `ready`, and runs until it is
 * killed.
 */
const options = JSON.parse(process.argv[2] ?? '') as CrashingBackendOptions;
const { fleetId, queue, crash } = options;
const real = await openRealWorld({
  seed: 1,
  mqttUrl: options.mqttUrl,
  amqpUrl: options.amqpUrl,
  flash: `${options.storePath}.no-flash`,
  signingKey: { ...(await makeSigningKey()) },
  log: realLog('silent'),
});
const file = await openThreadedStore(options.storePath);
await file.access.saveFleet({ id: fleetId, name: 'Crash' });
for (const plan of options.plans) {
  await file.vehicles.save({
    id: plan.vehicleId,
    fleetId,
    boxId: plan.boxId,
    sim: plan.sim,
    boxSecretHash: real.crypto.digest(plan.secret),
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
const { world, store } = crash === undefined ? ports : withCrashPoint(crash.point, crash.after, ports);
const service = startService(
  world,
  store,
  serviceSettings({
    baseUrl: 'http://127.0.0.1',
    mqtt: { clientId: `backend-${fleetId}`, username: 'backend', password: options.mqttPassword },
    brokerIsNew: options.brokerIsNew,
    queues: [{ name: queue, fleetId, messages: 'VehicleStateReceived' }],
  }),
);
await service.started;
process.stdout.write('ready\n');
