import { type JsonObject, jsonObject } from '../../world/json.ts';
import type { Time } from '../../world/time/time.ts';
import type { VehiclePicture } from '../stream/vehicle-picture.ts';
import { boxSummary, compareVehicle } from './comparison.ts';
import { type ConsoleSources, controlRequest, reasonOf, type ServiceCaller } from './sources.ts';
import type { StoredValues } from './stored-values.ts';

/** Truth, box and service of one vehicle; a response is the refusal of the control API. */
export async function pictureOf(
  id: string,
  parts: {
    readonly time: Time;
    readonly sources: ConsoleSources;
    readonly caller: ServiceCaller | undefined;
    readonly storedValues: Pick<StoredValues, 'of'>;
  },
): Promise<VehiclePicture | Response> {
  const answer = await parts.sources.control(controlRequest(`/boxes/${encodeURIComponent(id)}`));
  if (!answer.ok) return answer;
  const described = jsonObject(await answer.json());
  const truth = jsonObject(described['truth']);
  const belief = jsonObject(described['belief']);
  const vehicleId = typeof described['vehicleId'] === 'string' ? described['vehicleId'] : null;
  const text = (name: string) => String(described[name] ?? '');
  // Before the request to the service: a record that reaches it in between is then in its answer.
  const stored = await parts.storedValues.of(text('boxId'), text('model'));
  const told = await serviceSays(vehicleId, parts.caller);
  const maintenance = told.answer?.['maintenance_booked'] === true;
  const state = told.answer === undefined ? undefined : jsonObject(told.answer['latest_vehicle_state']);
  return {
    boxId: text('boxId'),
    vehicleId,
    model: text('model'),
    licensePlate: text('licensePlate'),
    vin: text('vin'),
    atMs: parts.time.nowMs(),
    route: text('route'),
    driving: String(truth['driverWish'] ?? ''),
    box: boxSummary(belief, truth),
    record: told.answer === undefined ? [] : recordRows(told.answer),
    properties: compareVehicle({ model: text('model'), truth, belief, state, stored, maintenance }),
    ...(told.silence === undefined ? {} : { serviceSilence: told.silence }),
  };
}

async function serviceSays(
  vehicleId: string | null,
  caller: ServiceCaller | undefined,
): Promise<{ readonly answer?: JsonObject; readonly silence?: string }> {
  if (caller === undefined) return { silence: 'This fleet runs without a service.' };
  if (vehicleId === null) return { silence: 'This device is unassigned: no vehicle has it yet.' };
  try {
    const answer = await caller.call('GET', `/vehicles/${encodeURIComponent(vehicleId)}`);
    const body = jsonObject(await answer.json());
    return answer.ok
      ? { answer: body }
      : { silence: `The service answers ${answer.status}: ${String(body['detail'] ?? '')}` };
  } catch (error) {
    return {
      silence: `The service does not answer: ${reasonOf(error)}`,
    };
  }
}

/** Names and texts of an answer, one level deep; the vehicle state is shown separately. */
function recordRows(answer: JsonObject): readonly (readonly [string, string])[] {
  return Object.entries(answer).flatMap(([name, value]): (readonly [string, string])[] => {
    if (name === 'latest_vehicle_state' || name === 'id') return [];
    if (typeof value !== 'object' || value === null) return [[name, String(value ?? '–')]];
    if (Array.isArray(value)) return [[name, value.map((one) => plain(one)).join(', ') || 'none']];
    const parts = value as JsonObject;
    if ('value' in parts) return [[name, plain(parts['value'])]];
    return Object.entries(parts).map(([part, one]) => [`${name}.${part}`, plain(one)]);
  });
}

function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '–');
  return 'value' in value ? plain(value.value) : JSON.stringify(value);
}
