import type { RecordedFrame } from '../../../judge/evidence/evidence.ts';
import { EPOCH, START_MS, ulidOf } from './any-recordings.ts';
import { type PlantedFault, pickVehicle } from './change-recordings.ts';

const AT_MS = START_MS + 600_000;
const requestId = ulidOf(950_000);
const REPLIED = { kind: 'reply', requestId, outcome: 'done', error: '' } as const;

/** Every way in which a box can reply to a request as it must not. */
export const REPLY_FAULTS: readonly PlantedFault[] = [
  replied('a request that comes late is taken up', 'taken up past its expiry', [
    down(40_000),
    up(900_100, 40_100),
  ]),
  replied('a configuration that comes late is taken up', 'taken up past its expiry', [
    { ...down(40_000), message: configuration() },
    up(900_100, 40_100),
  ]),
  replied('a request that came in time is refused as expired', 'refused in time', [
    down(100),
    { ...up(900_100, 200), message: { ...REPLIED, outcome: 'expired' } },
  ]),
  replied('a request that is repeated is answered anew', 'answered twice', [
    down(0),
    up(900_100, 100),
    down(200),
    up(900_101, 300),
  ]),
];

function down(ms: number): RecordedFrame {
  const expiresMs = AT_MS + 20_000;
  const message = { kind: 'command', command: 'ble-reset', requestId, expiresMs } as const;
  const atMs = AT_MS + ms;
  return { atMs, direction: 'down', epoch: EPOCH + 1, sequence: 0, clockMs: AT_MS, message };
}

function configuration(): RecordedFrame['message'] {
  return { kind: 'configuration', requestId, revision: 1, expiresMs: AT_MS + 20_000, settings: [] };
}

function up(sequence: number, ms: number): RecordedFrame {
  const atMs = AT_MS + ms;
  return { atMs, direction: 'up', epoch: EPOCH + 1, sequence, clockMs: atMs, message: REPLIED };
}

/** The box gets and sends these frames too. */
function replied(name: string, kind: string, frames: readonly RecordedFrame[]): PlantedFault {
  return {
    name,
    checker: 'commands-at-most-once',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      told.frames.unshift(...frames);
      return [kind, requestId, told.vehicle.boxId ?? ''];
    },
  };
}
