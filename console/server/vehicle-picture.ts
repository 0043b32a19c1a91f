import type { Time } from '../../world/time/time.ts';
import type { VehiclePicture } from '../stream/vehicle-picture.ts';
import { boxSummary, compareVehicle, record } from './comparison.ts';
import { type ConsoleSources, controlRequest, type ServiceCaller } from './sources.ts';

type Json = Readonly<Record<string, unknown>>;

/** Truth, box and service of one vehicle; a response is the refusal of the control API. */
export async function pictureOf(
  id: string,
  parts: {
    readonly time: Time;
    readonly sources: ConsoleSources;
    readonly caller: ServiceCaller | undefined;
  },
): Promise<VehiclePicture | Response> {
  const answer = await parts.sources.control(controlRequest(`/boxes/${encodeURIComponent(id)}`));
  if (!answer.ok) return answer;
  const described = record(await answer.json());
  const truth = record(described['truth']);
  const belief = record(described['belief']);
  const vehicleId = typeof described['vehicleId'] === 'string' ? described['vehicleId'] : null;
  const told = await serviceSays(vehicleId, parts.caller);
  const state = told.answer === undefined ? undefined : record(told.answer['latest_vehicle_state']);
  const text = (name: string) => String(described[name] ?? '');
  return {
    ...{ boxId: text('boxId'), vehicleId, model: text('model') },
    ...{ licensePlate: text('licensePlate'), vin: text('vin'), atMs: parts.time.nowMs() },
    ...{ route: text('route'), driving: String(truth['driverWish'] ?? '') },
    box: boxSummary(belief, truth),
    record: told.answer === undefined ? [] : recordRows(told.answer),
    properties: compareVehicle({ model: text('model'), truth, belief, state }),
    ...(told.silence === undefined ? {} : { serviceSilence: told.silence }),
  };
}

async function serviceSays(
  vehicleId: string | null,
  caller: ServiceCaller | undefined,
): Promise<{ readonly answer?: Json; readonly silence?: string }> {
  if (caller === undefined) return { silence: 'There is no service beside this fleet.' };
  if (vehicleId === null) return { silence: 'The box is on the shelf: no vehicle has it yet.' };
  try {
    const answer = await caller.call('GET', `/vehicles/${encodeURIComponent(vehicleId)}`);
    const body = record(await answer.json());
    return answer.ok
      ? { answer: body }
      : { silence: `The service answers ${answer.status}: ${String(body['detail'] ?? '')}` };
  } catch (error) {
    return {
      silence: `The service does not answer: ${error instanceof Error ? error.message : 'no reason'}`,
    };
  }
}

/** Names and texts of an answer, one level deep; the vehicle state is shown by itself. */
function recordRows(answer: Json): readonly (readonly [string, string])[] {
  return Object.entries(answer).flatMap(([name, value]): (readonly [string, string])[] => {
    if (name === 'latest_vehicle_state' || name === 'id') return [];
    if (typeof value !== 'object' || value === null) return [[name, String(value ?? '–')]];
    if (Array.isArray(value)) return [[name, value.map((one) => plain(one)).join(', ') || 'none']];
    const parts = value as Json;
    if ('value' in parts) return [[name, plain(parts['value'])]];
    return Object.entries(parts).map(([part, one]) => [`${name}.${part}`, plain(one)]);
  });
}

function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '–');
  return 'value' in value ? plain(value.value) : JSON.stringify(value);
}
