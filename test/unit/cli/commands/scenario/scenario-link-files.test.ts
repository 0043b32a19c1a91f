import { expect, test } from 'vitest';
import { withLinkFilesFrom } from '../../../../../cli/commands/scenario/scenario-link-files.ts';

test('a scenario written to another folder refers to the same files from there', () => {
  const park = { at: '1s', park: {} };
  const trace = (file: string) => ({ weather: { trace: { file, direction: 'up' } }, for: '1m' });
  const document = {
    name: 'a',
    steps: [park, trace('links/a.mahi'), { weather: { trace: { link: 'train' } } }],
  };
  const from = (other: string) => withLinkFilesFrom(document, 'roads/a.yaml', other)['steps'];
  expect(from('roads/a.found.yaml')).toEqual(document.steps);
  expect(from('out/found.yaml')).toEqual(document.steps.with(1, trace('../roads/links/a.mahi')));
});

test('a scenario written to another folder names the same recorded drives from there', () => {
  const fleet = (drive: string) => [{ count: 1 }, { recorded_drive: drive }];
  const document = { name: 'a', fleet: fleet('drives/a.csv'), steps: [{ at: '1s', park: {} }] };
  expect(withLinkFilesFrom(document, 'roads/a.yaml', 'out/found.yaml')['fleet']).toEqual(
    fleet('../roads/drives/a.csv'),
  );
});
