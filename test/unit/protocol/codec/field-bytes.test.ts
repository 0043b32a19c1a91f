import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldBytes } from '../../../../protocol/codec/field-bytes.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import { describeFrame } from '../../../../protocol/codec/frame-description.ts';
import type { Frame } from '../../../../protocol/message.ts';
import { anyFrame } from '../../../support/frames/any-frame.ts';

const frame = (generation: 1 | 2, message: Frame['message']): Frame => ({
  generation,
  epoch: 1,
  boot: 1,
  sequence: 7,
  clockMs: Date.UTC(2026, 0, 5),
  message,
});

describe('the bytes of a field', () => {
  test.each([1, 2] as const)('are those that hold its value: generation %i', (generation) => {
    const report = frame(generation, {
      kind: 'report',
      cause: 'time',
      signals: { obd: [{ pid: 0x0c, data: Uint8Array.of(0x1a, 0xf8) }], modem: { csq: 17, network: 26_201 } },
    });
    const bytes = encodeFrame(report);
    const { fields } = describeFrame({ frame: report });
    const ranges = fieldBytes({ frame: report });
    const at = fields.findIndex(([name]) => name === 'obd 0C');
    const [start = 0, end = 0] = ranges[at] ?? [];
    expect([...bytes.subarray(start, end)]).toEqual([0x1a, 0xf8]);
  });

  test('lie within the frame, one range for each field, whatever the frame', () => {
    fc.assert(
      fc.property(fc.oneof(anyFrame(1), anyFrame(2)), (any) => {
        const ranges = fieldBytes({ frame: any });
        expect(ranges).toHaveLength(describeFrame({ frame: any }).fields.length);
        const { length } = encodeFrame(any);
        for (const range of ranges) {
          if (range === undefined) continue;
          expect(range[0]).toBeGreaterThan(0);
          expect(range[1]).toBeGreaterThan(range[0]);
          expect(range[1]).toBeLessThan(length);
        }
      }),
      { numRuns: 60 },
    );
  });
});
