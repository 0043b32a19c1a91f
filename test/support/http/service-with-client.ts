import { registerClient } from '../../../backend/access/clients.ts';
import { FLEET_ID, openTestService } from './test-service.ts';

/** A test service with the client `demo`. */
export async function openServiceWithClient(
  permissions: readonly string[] = ['vehicle-commands', 'vehicles.ro'],
) {
  const stage = await openTestService();
  await stage.store.access.saveFleet({ id: FLEET_ID, name: FLEET_ID });
  const client = { fleetId: FLEET_ID, permissions, id: 'demo', secret: 's3cret~._-' };
  const mint = {
    ulid: () => 'unused',
    uuid: () => 'unused',
    code: () => 'unused',
    secret: () => 'unused',
  };
  const time = { nowMs: () => stage.loop.nowMs, alarm: () => () => undefined };
  await registerClient(stage.store.access, { crypto: stage.crypto, ids: mint, time }, client);
  return stage;
}
