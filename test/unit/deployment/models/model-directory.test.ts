import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { modelKnowledge } from '../../../../backend/model-knowledge.ts';
import { judgeModels, modelsFacts } from '../../../../deployment/checks/doctor-checks.ts';
import { planDemo } from '../../../../deployment/demo/demo-plans.ts';
import { loadModels, modelsArgument } from '../../../../deployment/models/model-directory.ts';
import { proposalText } from '../../../../deployment/models/proposal/proposal-text.ts';
import { knownModel, knownModelNames } from '../../../../protocol/models/known-models.ts';
import { MODELS } from '../../../../protocol/models/models.ts';
import { readScenario } from '../../../../scenarios/language/document/read.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { smallVan } from '../../../support/models/small-van.ts';

const TEXT = proposalText(smallVan(), 'small-van.dbc');
const named = (name: string): string => TEXT.replace('name: small-van', `name: ${name}`);
const SCENARIO = 'name: a\nabout: b\nfleet: [{ model: loaded-van }]\nsteps: [{ at: 1s, drive: }]\n';

describe('a folder of models', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-models-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('makes its models known to scenarios, service and fleet of this process', () => {
    expect(readScenario(SCENARIO, 'a.yaml').ok).toBe(false);
    const plain = planDemo(seededRandom(1), 3, { radio: 'ideal' }, () => 'secret').vehicles;
    writeFileSync(join(folder, 'a.yaml'), named('loaded-van'));
    writeFileSync(join(folder, 'notes.txt'), 'no model');
    expect(loadModels(folder).map(({ name }) => name)).toEqual(['loaded-van']);
    expect(knownModelNames()).toEqual([...MODELS.keys(), 'loaded-van']);
    expect(knownModel('loaded-van')?.rows.length).toBe(17);
    expect(readScenario(SCENARIO, 'a.yaml').ok).toBe(true);
    expect(modelKnowledge.telematicsOf('loaded-van')).toBe('box');
    expect(modelKnowledge.capabilitiesOf('loaded-van')).toContain('CENTRAL_LOCK');
    const planned = planDemo(seededRandom(1), 3, { radio: 'ideal' }, () => 'secret').vehicles;
    expect(planned).toEqual(
      plain.map((plan, index) => (index === 0 ? { ...plan, model: 'loaded-van' } : plan)),
    );
    expect(modelsArgument()).toBe(` --models ${folder}`);
    // The same again is the same model.
    expect(loadModels(folder).length).toBe(1);
  });

  test.each([
    [
      'of which one has a fault',
      { 'a.yaml': named('faulty').replace('bits: 16', 'bits: 40') },
      /a\.yaml:\d+:\d+: .*bits/,
    ],
    [
      'of which one has the name of a built-in model',
      { 'a.yaml': named('estate') },
      /a built-in model estate/,
    ],
    [
      'of which two have one name',
      { 'a.yaml': named('twice'), 'b.yml': named('twice') },
      /b\.yml: .*a\.yaml has a model twice, too/,
    ],
    ['without any', { 'a.txt': '' }, /There is no model .*boxtwin model from-dbc/],
  ])('%s is refused as a whole', (_, files, message) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const before = knownModelNames();
    expect(() => loadModels(folder)).toThrow(message);
    expect(knownModelNames()).toEqual(before);
  });

  test('that says something else of a known model is refused', () => {
    writeFileSync(join(folder, 'a.yaml'), named('changing'));
    loadModels(folder);
    writeFileSync(join(folder, 'a.yaml'), named('changing').replace('doors: 5', 'doors: 4'));
    expect(() => loadModels(folder)).toThrow(/another model changing already/);
    expect(knownModel('changing')?.body.doors).toBe(5);
  });

  test('that is not there is named, by a start and by the doctor', () => {
    expect(() => loadModels(join(folder, 'nowhere'))).toThrow(/no file or folder .*nowhere/);
    expect(judgeModels(modelsFacts(join(folder, 'nowhere')))).toMatchObject({ verdict: 'failed' });
    writeFileSync(join(folder, 'a.yaml'), named('looked-at'));
    expect(judgeModels(modelsFacts(folder))).toEqual({
      verdict: 'ok',
      text: 'These can be used: looked-at.',
    });
  });
});
