import { expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import { topics } from '../../../../protocol/topics.ts';
import { BOX_ID, payloadOf, reduceOf, report } from '../../../support/backend/ingest-input.ts';

test('of what cannot be read the bytes of that place are kept, and no more than their bound', () => {
  const longer = { bytes: Buffer.alloc(limits.quarantineBytes + 1, 7), topic: topics.up(BOX_ID) };
  expect(reduceOf([payloadOf([], longer)]).quarantine[0]?.bytes).toHaveLength(limits.quarantineBytes);
  const bad = Uint8Array.from(encodeFrame(report(2)));
  bad[bad.length - 1] = (bad.at(-1) ?? 0) ^ 0x01;
  const bytes = Buffer.concat([encodeFrame(report(1)), bad, encodeFrame(report(3))]);
  const [kept] = reduceOf([payloadOf([], { bytes, topic: topics.up(BOX_ID) })]).quarantine;
  expect(Buffer.from(kept?.bytes ?? []).equals(bad)).toBe(true);
});
