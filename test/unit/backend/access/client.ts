import { registerClient } from '../../../../backend/access/clients.ts';
import { FLEET, openStage } from '../http/stage.ts';

/** A stage with the client `demo`. */
export async function withClient(permissions: readonly string[] = ['vehicle-commands', 'vehicles.ro']) {
  const stage = await openStage();
  await stage.store.access.saveFleet({ id: FLEET, name: FLEET });
  const client = { fleetId: FLEET, permissions, id: 'demo', secret: 's3cret~._-' };
  const mint = {
    ulid: () => 'unused',
    uuid: () => 'unused',
    code: () => 'unused',
    secret: () => 'unused',
  };
  const time = { nowMs: () => stage.loop.nowMs, alarm: () => () => undefined };
  await registerClient(stage.store.access, { seal: stage.seal, mint, time }, client);
  return stage;
}
