import { describe, expect, test } from 'vitest';
import type { SetupStatus } from '../../../../backend/store/port/stored-vehicle.ts';
import type { EventMessage } from '../../../../protocol/message.ts';
import {
  BOX_ID,
  boxVehicle,
  EPOCH,
  frame,
  payloadOf,
  reduceOf,
  START_MS,
} from '../../../support/backend/ingest-input.ts';

function reduced(
  event: EventMessage['event'],
  change: Partial<EventMessage> = {},
  setupStatus: SetupStatus = 'SUCCEEDED',
) {
  const message: EventMessage = { kind: 'event', event, signals: {}, ...change };
  return reduceOf([payloadOf([frame(message, { sequence: 3 })])], { vehicle: boxVehicle({ setupStatus }) });
}

describe('an event of a box', () => {
  test('that an update has failed is reported to the operator; that one succeeded is not', () => {
    expect(reduced('firmware-update-failed').troubles).toMatchObject([{ kind: 'update-failed' }]);
    expect(reduced('firmware-updated').troubles).toEqual([]);
  });

  test('that damage detection is calibrated is kept for whoever waits for it; any other one is not', () => {
    expect(reduced('damage-calibrated').calibrations).toEqual([
      { boxId: BOX_ID, key: { epoch: EPOCH, sequence: 3 } },
    ]);
    expect(reduced('firmware-updated').calibrations).toEqual([]);
  });

  test('that measured something leads to the message of its feature, where it belongs to the vehicle', () => {
    const measured = { agoMs: 1_000, shock: { peakMg: 900, durationMs: 40, direction: 'left' } } as const;
    const drafts = (status?: SetupStatus) =>
      reduced('shock', { measured }, status).records.map(({ draft }) => draft);
    expect(drafts()).toMatchObject([{ feature: { occurredMs: START_MS - 1_000 } }]);
    expect(drafts('PENDING')).toEqual([undefined]);
  });

  test('that measured nothing leads to no message of a feature', () => {
    const [draft] = reduced('firmware-updated').records.map((record) => record.draft);
    expect(draft).not.toHaveProperty('feature');
  });
});
