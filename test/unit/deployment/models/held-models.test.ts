import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdOwnModels } from '../../../../deployment/models/held-models.ts';
import { addOwnModels } from '../../../../protocol/models/known-models.ts';
import { smallVan } from '../../../support/models/small-van.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-held-models-'));
  file = join(folder, 'models.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a fleet goes on with the models that it began with, and with no others', () => {
  holdOwnModels(file, true);
  holdOwnModels(file, false);
  // A fleet of an earlier version has no such file.
  holdOwnModels(join(folder, 'none.json'), false);
  addOwnModels([smallVan().model]);
  expect(() => holdOwnModels(file, false)).toThrow(
    /began with no models of your own, and this start has the models small-van.*Use the same --models as before/,
  );
  holdOwnModels(file, true);
  holdOwnModels(file, false);
  writeFileSync(file, '["city-van"]');
  expect(() => holdOwnModels(file, false)).toThrow(/began with the models city-van/);
  writeFileSync(file, '{');
  expect(() => holdOwnModels(file, false)).toThrow(/is not what this boxtwin wrote.*--fresh/);
});
