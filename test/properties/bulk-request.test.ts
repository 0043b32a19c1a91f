import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBulkRequest } from '../../backend/configuration/bulk-request.ts';
import { FEATURES, findFeature } from '../../backend/configuration/features.ts';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const read = (value: unknown) => readBulkRequest(bytesOf(value));
const id = fc.string({ minLength: 1, maxLength: 14 });
const feature = fc.oneof(
  fc.constant(null),
  fc.constant({}),
  fc.constantFrom(
    { enabled: true },
    { time_interval_in_seconds: 60 },
    { sensitivity: 'LOW' },
    { delay_in_seconds: 1 },
  ),
);
const features = fc.dictionary(fc.constantFrom(...FEATURES.map(({ key }) => key)), feature, { minKeys: 1 });

describe('the body of a bulk request', () => {
  test('is read completely or refused with a sentence, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          const request = readBulkRequest(bytes);
          if ('problem' in request) expect(request).toMatchObject({ problem: 'validation-error' });
          else expect(request.vehicleIds.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('gives each vehicle once, in order, and every parameter of the table', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 50 }), features, (ids, given) => {
        const request = read({ items: ids.map((one) => ({ id: one })), feature_configuration: given });
        const isRight = Object.entries(given).every(([key, value]) => {
          const found = findFeature(key.replaceAll('_', '-'));
          return value === null || found?.parameters.safeParse(value).success === true;
        });
        expect('problem' in request).toBe(!isRight);
        if ('problem' in request) return;
        expect(request.vehicleIds).toEqual(ids);
        expect(new Set(Object.keys(request.features))).toEqual(
          new Set(Object.keys(given).map((key) => key.replaceAll('_', '-'))),
        );
        for (const [name, parameters] of Object.entries(request.features)) {
          const one = given[name.replaceAll('-', '_')];
          expect(parameters).toEqual(one === null ? null : findFeature(name)?.parameters.parse(one));
        }
      }),
    );
  });

  test('is refused if it contains a vehicle twice, and the detail names it', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 1, maxLength: 50 }),
        fc.nat(),
        fc.nat(),
        (ids, from, to) => {
          const again = [...ids];
          again.splice(
            (from % ids.length) + 1 + (to % (ids.length - (from % ids.length))),
            0,
            ids[from % ids.length] ?? '',
          );
          const request = read({
            items: again.map((one) => ({ id: one })),
            feature_configuration: { tracking: null },
          });
          expect(request).toMatchObject({
            detail: expect.stringMatching(/^items\.\d+\.id: is named twice\.$/),
          });
        },
      ),
    );
  });
});
