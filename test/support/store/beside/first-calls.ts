import { newVehicle } from '../store-rows.ts';
import { BOXES, callOf, type DrawnCall, FLEETS, MAKERS, USERS, VEHICLES } from './draw.ts';

/** What is there before calls are drawn: fleets, people, two vehicles with boxes and one behind its maker's cloud. */
export function firstCalls(): readonly DrawnCall[] {
  const [fleetId] = FLEETS;
  const [first, second, third] = VEHICLES;
  const link = { name: MAKERS[0], vehicleId: 'm1' };
  const { model, masterData, tags, atMs } = newVehicle();
  return [
    ...FLEETS.map((id) => callOf('access', 'saveFleet', { id, name: id })),
    ...USERS.map((id) =>
      callOf('grants', 'saveUser', {
        id,
        fleetId,
        name: id,
        passwordHash: '',
        permissions: [],
        createdMs: 1,
      }),
    ),
    callOf('vehicles', 'save', newVehicle({ id: first, boxId: BOXES[0] })),
    callOf(
      'vehicles',
      'save',
      newVehicle({ id: second, boxId: BOXES[1], masterData: {}, setupStatus: 'PENDING' }),
    ),
    callOf('vehicles', 'saveMakerUnit', { link, fleetId }),
    callOf('vehicles', 'create', {
      id: third,
      fleetId,
      telematics: { maker: link },
      model,
      setupStatus: 'SUCCEEDED',
      masterData: { license_plate: masterData['license_plate'] ?? null },
      customFields: {},
      tags,
      atMs,
    }),
  ];
}
