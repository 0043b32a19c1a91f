import { expect, test } from 'vitest';
import { modelKnowledge } from '../../../../backend/model-knowledge.ts';
import { translateNamed } from '../../../../backend/vehicles/translation/translate.ts';
import {
  capabilitiesText,
  commandCapabilities,
  stateCapabilities,
} from '../../../../backend/vehicles/vehicle-capabilities.ts';
import { MAINTENANCE } from '../../../../contract/properties.ts';
import { MODELS } from '../../../../protocol/models/models.ts';
import { boxVehicle, frame, payloadOf, reduceOf } from '../../../support/backend/ingest-input.ts';

const BOX_ID = 'b9e994ff4d281fa2';

test('without the booking a vehicle of any model has no maintenance capability', () => {
  for (const model of MODELS.keys()) {
    const booked = stateCapabilities({ model, maintenance: true }, modelKnowledge);
    const basic = stateCapabilities({ model, maintenance: false }, modelKnowledge);
    expect(booked).toEqual(modelKnowledge.capabilitiesOf(model));
    expect(basic).toEqual(booked.filter((name) => !MAINTENANCE.has(name.toLowerCase())));
  }
});

test('as text they are those of each vehicle', () => {
  for (const model of MODELS.keys())
    for (const maintenance of [true, false])
      for (const provider of [undefined, 'harbour', 'unknown'])
        for (const boxId of [undefined, BOX_ID]) {
          const sim = provider === undefined ? undefined : { provider, iccid: '1' };
          const vehicle = { model, maintenance, boxId, sim };
          const commands = commandCapabilities(vehicle, modelKnowledge);
          const state = stateCapabilities(vehicle, modelKnowledge);
          const text = JSON.stringify({ commands, vehicle_state: state });
          // Twice: the second one is kept.
          expect(capabilitiesText(vehicle, modelKnowledge)).toBe(text);
          expect(capabilitiesText(vehicle, modelKnowledge)).toBe(text);
        }
});

test('a report includes maintenance properties if they are booked, in state and message', () => {
  const signals = { troubleCodes: [0x0301, 0x0301, 0], obd: [{ pid: 0x0d, data: Uint8Array.of(50) }] };
  const report = frame({ kind: 'report', cause: 'time', signals }, { sequence: 1 });
  const told = (maintenance: boolean) => {
    const plan = reduceOf([payloadOf([report])], {
      vehicle: boxVehicle({ maintenance }),
      translate: translateNamed,
    });
    const [after] = plan.vehicles.values();
    return [Object.keys(after?.state ?? {}), Object.keys(plan.records[0]?.draft?.properties ?? {})];
  };
  expect(told(true)).toEqual([
    ['speed_in_kph', 'diagnostic_trouble_codes'],
    ['speed_in_kph', 'diagnostic_trouble_codes'],
  ]);
  expect(told(false)).toEqual([['speed_in_kph'], ['speed_in_kph']]);
});
