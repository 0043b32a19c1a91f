import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answeredPage,
  calibratedPage,
  readAnswered,
  readCalibrated,
} from '../../../../../simulator/firmware/core/pages.ts';
import { IMAGE_KINDS } from '../../../../../simulator/firmware/update/image.ts';
import {
  firmwarePage,
  readFirmware,
  readUpdate,
  updatePage,
} from '../../../../../simulator/firmware/update/program-pages.ts';
import { UPDATE_OUTCOMES, UPDATE_PHASES } from '../../../../../simulator/firmware/update/update-state.ts';
import { requestId } from '../../../../support/firmware/test-box.ts';

const anyByte = fc.integer({ min: 0, max: 255 });
const anyVersion = fc.tuple(fc.integer({ min: 1, max: 255 }), anyByte);
const anyU32 = fc.integer({ min: 0, max: 0xffff_ffff });
const anyMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const anyUpdate = fc.record({
  offer: fc.record({ version: anyVersion, image: fc.constantFrom(...IMAGE_KINDS) }),
  phase: fc.constantFrom(...UPDATE_PHASES),
  received: fc.integer({ min: 0, max: 0xffff }),
  digest: anyU32,
  connectionBreaks: anyByte,
  installs: anyByte,
  trials: anyByte,
  offeredCounterMs: anyMs,
  outcome: fc.constantFrom(undefined, ...UPDATE_OUTCOMES),
  isReported: fc.boolean(),
});

test('a page of the program is read as what was written', () => {
  fc.assert(
    fc.property(
      anyVersion,
      fc.constantFrom(0 as const, 1 as const),
      fc.option(anyVersion, { nil: undefined }),
      (version, bank, other) => {
        const program = { version, bank, other };
        expect(readFirmware(firmwarePage(program))).toEqual(program);
      },
    ),
  );
});

test('a page of an update is read as what was written, and one of another length as none', () => {
  fc.assert(
    fc.property(anyUpdate, (update) => {
      const page = updatePage(update);
      expect(readUpdate(page)).toEqual(update);
      expect(readUpdate(Uint8Array.of(...page, 0))).toBeUndefined();
      expect(readUpdate(page.subarray(1))).toBeUndefined();
    }),
  );
});

test('what was calibrated last is read as what was written, and from a page of another length as nothing', () => {
  fc.assert(
    fc.property(anyU32, (activation) => {
      const page = calibratedPage(activation);
      expect(readCalibrated(page)).toBe(activation);
      expect(readCalibrated(Uint8Array.of(...page, 7))).toBe(0);
    }),
  );
  expect(readCalibrated(undefined)).toBe(0);
});

test('an answered request is read as what was written', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), anyMs, anyU32, fc.uint8Array(), (number, expiresMs, sequence, bytes) => {
      const answered = { requestId: requestId(number), expiresMs, sequence, bytes };
      expect(readAnswered(`a/${answered.requestId}`, answeredPage(answered))).toEqual(answered);
    }),
  );
});
