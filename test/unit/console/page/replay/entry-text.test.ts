import { crc32 as ofNode } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32 } from '../../../../../console/page/replay/crc32.ts';
import { entryOf } from '../../../../../console/page/replay/entry-of.ts';
import { entryText } from '../../../../../console/page/replay/entry-text.ts';
import { encodeFrame } from '../../../../../protocol/codec/frame.ts';

const shown = (hex: string): string => {
  const entry = entryOf(
    { kind: 'event', at_ms: 1, who: 'box/b1', what: 'frame-up', detail: hex },
    new Map([['box/b1', 1]]),
  );
  if (entry === undefined) throw new Error('A frame has no line.');
  return entryText(entry);
};

describe('a line of the replay', () => {
  test('tells a frame by what it says', () => {
    const bytes = encodeFrame({
      generation: 2,
      epoch: 1,
      boot: 1,
      sequence: 7,
      clockMs: 0,
      message: { kind: 'report', cause: 'time', signals: { modem: { csq: 17, network: 26_201 } } },
    });
    const text = shown(Buffer.from(bytes).toString('hex'));
    expect(text).toMatch(/^↑ report/);
    expect(text).toContain('CSQ 17');
  });

  test('of any detail is a text, also of what is no frame, and never endless', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abcdef') })),
        (detail) => {
          expect(shown(detail).length).toBeLessThan(250);
        },
      ),
    );
  });

  test('of an expectation that was not met names its place in the scenario', () => {
    const row = {
      kind: 'expectation',
      at_ms: 1,
      step: 2,
      expectation: 0,
      is_met: false,
      text: 'no',
    } as const;
    expect(entryOf(row, new Map())).toMatchObject({ kind: 'failure', text: 'step 3 expectation 1: no' });
  });

  test('checks frames as Node does', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(crc32(bytes)).toBe(ofNode(bytes));
      }),
    );
  });
});
