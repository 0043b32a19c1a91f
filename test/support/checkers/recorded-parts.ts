import type { QueuedMessage } from '../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { PersistentVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { vehicleOf } from '../vehicles/any-vehicle.ts';

type Numbered = Pick<SimulatedVehicle, 'number' | 'model'>;

/** The parked vehicle of that number and model, new. */
export function carOf({ number, model }: Numbered, atMs: number): PersistentVehicle {
  return vehicleOf(number, { model, driving: false }, undefined, atMs);
}

interface Sensed {
  readonly truth: Record<string, unknown>;
  readonly signals: Signals;
}

/** By number: each number has one model, and every history begins at one time with the same vehicles. */
const SENSED = new Map<number, Sensed>();

/** What a new vehicle is and senses; histories share it, so nobody changes it. */
export function sensedOf(player: Numbered, atMs: number): Sensed {
  const known = SENSED.get(player.number);
  if (known !== undefined) return known;
  const car = carOf(player, atMs);
  const sensed = { truth: car.truth(), signals: car.sensors().signalsAwake };
  SENSED.set(player.number, sensed);
  return sensed;
}

/** The message that the service published of a record. */
export function stateMessage(
  { vehicleId, fleetId }: SimulatedVehicle,
  queue: string,
  messageId: string,
  atMs: number,
  sequence: number,
): QueuedMessage {
  const type = 'service.VehicleStateReceived';
  const flowId = `flow of ${messageId}`;
  const metadata = { message_id: messageId, message_type: type, version: '2.0.0', flow_id: flowId };
  const data = {
    vehicle_id: vehicleId,
    fleet_id: fleetId,
    received_at: seconds(atMs - 100),
    vehicle_state: { sequence },
  };
  return {
    atMs,
    queue,
    messageId,
    vehicleId,
    fleetId,
    name: 'VehicleStateReceived',
    body: { metadata, data },
    headers: { 'Flow-ID': flowId, 'Message-Type': type, 'Message-Version': '2.0.0' },
  };
}

/** A time of messages and answers, whole seconds in UTC. `ms` since 1970. */
export function seconds(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace('.000', '');
}
