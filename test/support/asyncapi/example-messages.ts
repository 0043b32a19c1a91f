import { writeStateReceived } from '../../../backend/events/message.ts';
import { writeDataChanged } from '../../../backend/events/message-data-changed.ts';
import { featureEvent, writeFeatureEvent } from '../../../backend/events/message-features.ts';
import type { OutgoingMessage } from '../../../backend/store/port/outbox-store.ts';
import type { Measured, MeasuredEventName } from '../../../protocol/measured.ts';
import { partitionOf } from '../../../protocol/partitions.ts';

const AT_MS = Date.UTC(2026, 2, 2, 9, 15, 12);
const BEGAN_MS = AT_MS - 11_000;
const FLOW_ID = '5f0c1c38-4f0e-4b8e-9a55-0d2f6a3f7e10';
const VEHICLE = { vehicleId: 'JQ7RP', fleetId: 'BERLIN', partition: partitionOf('JQ7RP') };
const PLACE = { latitude: 52.520_008, longitude: 13.404_954 };

/** Measurements of boxes, by the event that reports them. */
const MEASURED: readonly (readonly [event: MeasuredEventName, what: Omit<Measured, 'agoMs' | 'place'>])[] = [
  ['damage', { damage: { strengthMg: 620, sensitivity: 'medium', side: 'rear' } }],
  ['smoke', { smoke: { concentrationUgPerM3: 900, durationMs: 10_000 } }],
  [
    'crash',
    {
      crash: {
        peakMg: 5_200,
        durationMs: 48,
        direction: 'front',
        gatheredMs: 1_000,
        samples: [
          [-5_200, 0],
          [-310, 40],
        ],
      },
    },
  ],
  [
    'heavy-braking',
    { braking: { peakMg: 551, durationMs: 1_670, speedBeforeKph: 49.5, speedAfterKph: 17.3 } },
  ],
  ['harsh-cornering', { cornering: { peakMg: 540, durationMs: 2_210, speedKph: 31.5, bend: 'right' } }],
  ['towing', { towing: { distanceM: 50, tiltDegrees: 6.5 } }],
  ['shock', { shock: { peakMg: 800, durationMs: 25, direction: 'left' } }],
];

/** An example of each message and each kind of it, made by the code for real ones. */
export function exampleMessages(): readonly OutgoingMessage[] {
  let count = 0;
  const ids = () => {
    count += 1;
    return { messageId: `01KJPX3M4S5T6V7W8X9Y0Z1A${String(count).padStart(2, '0')}`, flowId: FLOW_ID };
  };
  const told = () => ({ ...ids(), ...VEHICLE, createdMs: AT_MS, receivedMs: AT_MS });
  const state = writeStateReceived({
    ...told(),
    triggeredBy: { channel: 'API_COMMAND', correlationId: FLOW_ID },
    properties: {
      ignition: { timestampMs: AT_MS - 1_000, value: 'ON' },
      mileage_in_kilometers: { timestampMs: AT_MS - 1_000, value: 48_210.4 },
      position: { timestampMs: AT_MS - 1_000, value: { lat: PLACE.latitude, lon: PLACE.longitude } },
    },
  });
  const contact = writeStateReceived({ ...told(), triggeredBy: undefined, properties: {} });
  const change = writeDataChanged(
    { ...ids(), partition: VEHICLE.partition, atMs: AT_MS },
    { ...RECORD, tags: [] },
    RECORD,
  );
  const features = MEASURED.map(([event, what]) => {
    const measured = { agoMs: AT_MS - BEGAN_MS, place: PLACE, ...what };
    const described = featureEvent(event, measured, AT_MS);
    return described === undefined ? undefined : writeFeatureEvent(told(), described);
  });
  return [state, contact, change, ...features].filter((message) => message !== undefined);
}

const RECORD: Parameters<typeof writeDataChanged>[2] = {
  id: VEHICLE.vehicleId,
  fleet_id: VEHICLE.fleetId,
  setup_status: 'SUCCEEDED',
  master_data: {
    vin: 'WVWZZZ1JZXW000001',
    license_plate: 'B-XY 123',
    brand: 'Petrol',
    model: 'Compact',
    custom_name: null,
    fuel_type: 'PETROL',
    year_of_production: 2022,
    transmission: 'MANUAL',
    vehicle_type: 'CAR',
  },
  custom_fields: { cost_center: '17' },
  tags: ['pool'],
  operation_status: { value: 'OPERATING', modified_at: '2026-03-01T08:00:00Z' },
  rental_status: { value: 'NOT_IN_RENTAL', modified_at: '2026-03-01T08:00:00Z' },
  maintenance_booked: false,
};
