import type { Frame, Report } from '../../../protocol/message.ts';
import { MODELS } from '../../../protocol/models/models.ts';

/** Where the messages of the load go, where there is a broker for them. */
export const QUEUE = 'boxtwin-bench-frames';

/** The boxes of the load, known to both processes without talk. */
export const model = [...MODELS.keys()][0] ?? '';
export const boxIdsOf = (boxes: number) =>
  Array.from({ length: boxes }, (_, index) => index.toString(16).padStart(16, '0'));
export const vehicleIdOf = (boxId: string) => `V${Number.parseInt(boxId, 16).toString().padStart(5, '0')}`;

/** A report as a driving box sends it: fix, OBD, ports, modem and power. */
const report: Report = {
  kind: 'report',
  cause: 'time',
  signals: {
    obd: [
      { pid: 0x05, data: Uint8Array.of(130) },
      { pid: 0x0c, data: Uint8Array.of(0x1a, 0xf8) },
      { pid: 0x0d, data: Uint8Array.of(50) },
      { pid: 0x2f, data: Uint8Array.of(128) },
      { pid: 0x42, data: Uint8Array.of(0x36, 0xb0) },
      { pid: 0xa6, data: Uint8Array.of(0, 1, 0xf0, 0x0c) },
    ],
    digital: 0b101,
    gnss: {
      quality: 1,
      latitude: 52.51,
      longitude: 13.37,
      altitudeM: 35,
      speedKph: 50,
      headingDegrees: 90,
      satellites: 9,
      hdop: 0.9,
    },
    modem: { csq: 20, network: 26_201 },
    power: { supplyMillivolts: 14_000, backupMillivolts: 4_100, backupPercent: 90, backupCharging: false },
  },
};

export function frameOf(sequence: number, clockMs: number): Frame {
  return { generation: 2, epoch: 1, boot: 1, sequence, clockMs, message: report };
}
