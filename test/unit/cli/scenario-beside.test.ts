import { expect, test } from 'vitest';
import { writtenBeside } from '../../../cli/scenario-beside.ts';

test('a scenario that is written into another folder names the same files from there', () => {
  const park = { at: '1s', park: {} };
  const trace = (file: string) => ({ weather: { trace: { file, direction: 'up' } }, for: '1m' });
  const document = {
    name: 'a',
    steps: [park, trace('links/a.mahi'), { weather: { trace: { link: 'train' } } }],
  };
  const from = (other: string) => writtenBeside(document, 'roads/a.yaml', other)['steps'];
  expect(from('roads/a.found.yaml')).toEqual(document.steps);
  expect(from('out/found.yaml')).toEqual(document.steps.with(1, trace('../roads/links/a.mahi')));
});
