import type { OutgoingMessage } from '../../../../backend/store/port/outbox-store.ts';
import { type Draw, FLEETS } from './draw.ts';

/** A new message of a vehicle. */
export function messageOf(draw: Draw, vehicleId: string, partition: number): OutgoingMessage {
  const messageId = draw.id('message');
  return {
    messageId,
    vehicleId,
    fleetId: draw.pick(FLEETS),
    partition,
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: 'flow',
    createdMs: draw.nowMs,
    body: `{"n":"${messageId} – ü${'x'.repeat(draw.whole(0, 5))}"}`,
  };
}
