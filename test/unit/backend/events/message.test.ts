import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routingKey, vehicleStateReceived, writeStateReceived } from '../../../../backend/events/message.ts';
import { featureEvent, writeFeatureEvent } from '../../../../backend/events/message-features.ts';
import { messageType } from '../../../../contract/messages.ts';

const T = Date.UTC(2026, 0, 5, 6, 7, 8, 999);
const told = {
  messageId: '01KE60EXAMP1E0000000000001',
  flowId: '6a0f5a8e-0000-4000-8000-000000000002',
  createdMs: T + 1,
  vehicleId: 'VEH01',
  fleetId: 'FLEET1',
  partition: 0,
  receivedMs: T,
  triggeredBy: undefined,
  properties: {
    central_lock: { timestampMs: T - 1000, value: 'LOCKED' },
    position: { timestampMs: T - 1000, value: { lat: 52.5, lon: 13.4 } },
  },
};

describe('VehicleStateReceived', () => {
  test('is written as in section 6, with whole seconds in UTC', () => {
    const message = writeStateReceived(told);
    expect(JSON.parse(message.body)).toEqual({
      metadata: {
        message_id: told.messageId,
        message_type: 'service.VehicleStateReceived',
        occurred_at: '2026-01-05T06:07:09Z',
        version: '2.0.0',
        flow_id: told.flowId,
      },
      data: {
        vehicle_id: 'VEH01',
        received_at: '2026-01-05T06:07:08Z',
        fleet_id: 'FLEET1',
        vehicle_state: {
          central_lock: { timestamp: '2026-01-05T06:07:07Z', value: 'LOCKED' },
          position: { timestamp: '2026-01-05T06:07:07Z', value: { lat: 52.5, lon: 13.4 } },
        },
      },
    });
    expect(messageType(message.name)).toBe('service.VehicleStateReceived');
    expect(routingKey(message)).toBe('FLEET1.VehicleStateReceived');
  });

  test('of a command names the channel and the flow id', () => {
    const message = writeStateReceived({
      ...told,
      triggeredBy: { channel: 'API_COMMAND', correlationId: told.flowId },
    });
    const body = vehicleStateReceived.parse(JSON.parse(message.body));
    expect(body.data.triggered_by).toEqual({ channel: 'API_COMMAND', correlation_id: told.flowId });
  });

  test('of a heartbeat has an empty vehicle_state', () => {
    const body = vehicleStateReceived.parse(JSON.parse(writeStateReceived({ ...told, properties: {} }).body));
    expect(body.data.vehicle_state).toEqual({});
  });

  test('matches its schema with any times and additional properties', () => {
    const timeMs = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const property = fc.record({ timestampMs: timeMs, value: fc.jsonValue() });
    const name = fc.stringMatching(/^[a-z]{3,8}_of_test$/);
    fc.assert(
      fc.property(timeMs, timeMs, fc.dictionary(name, property), (createdMs, receivedMs, properties) => {
        const message = writeStateReceived({ ...told, createdMs, receivedMs, properties });
        const result = vehicleStateReceived.safeParse(JSON.parse(message.body));
        expect(result.error).toBeUndefined();
      }),
    );
  });

  test.each([
    ['a position outside the globe', { position: { timestampMs: T, value: { lat: 91, lon: 0 } } }],
    ['a fuel level above 100', { fuel_level_in_percent: { timestampMs: T, value: 101 } }],
    ['a half kilometre of altitude', { altitude_in_meters: { timestampMs: T, value: 0.5 } }],
  ])('the schema refuses %s', (_, properties) => {
    const message = writeStateReceived({ ...told, properties });
    expect(vehicleStateReceived.safeParse(JSON.parse(message.body)).success).toBe(false);
  });
});

describe('what a feature measured', () => {
  const smoke = { agoMs: 5_000, smoke: { concentrationUgPerM3: 900, durationMs: 61_999 } };

  test('is told with its place, and without one where the place is not known', () => {
    const place = { latitude: 52.123_456_78, longitude: 13.4 };
    const known = {
      name: 'SmokeDetected',
      occurredMs: T - 5_000,
      data: { particle_concentration_in_micrograms_per_cubic_meter: 900, duration_in_seconds: 61 },
    };
    expect(featureEvent('smoke', { ...smoke, place }, T)).toEqual({
      ...known,
      position: { lat: 52.123_457, lon: 13.4 },
    });
    expect(featureEvent('smoke', smoke, T)).toEqual({ ...known, position: undefined });
  });

  test('goes out with its time, its vehicle and what was measured', () => {
    const event = featureEvent('smoke', smoke, T);
    if (event === undefined) throw new Error('smoke is measured');
    const message = writeFeatureEvent(told, event);
    expect([messageType(message.name), message.partition]).toEqual(['service.SmokeDetected', 0]);
    expect(JSON.parse(message.body)).toMatchObject({
      metadata: { message_id: told.messageId, message_type: 'service.SmokeDetected', flow_id: told.flowId },
      data: {
        vehicle_id: 'VEH01',
        fleet_id: 'FLEET1',
        occurred_at: '2026-01-05T06:07:03Z',
        received_at: '2026-01-05T06:07:08Z',
        duration_in_seconds: 61,
      },
    });
  });

  test('is no message of its own where nothing was measured, or not what the event is about', () => {
    expect(featureEvent('smoke', undefined, T)).toBeUndefined();
    expect(featureEvent('smoke', { agoMs: 5_000 }, T)).toBeUndefined();
    expect(featureEvent('ignition-on', smoke, T)).toBeUndefined();
  });
});
