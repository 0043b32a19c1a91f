import { expect, test } from 'vitest';
import { takeFindings } from '../../../openapi/observer.ts';
import { openStage } from './stage.ts';

// Files of one worker share what is loaded: this holds in each of them, whichever came first.
test('every application of a test is looked at: an answer that the document does not declare is found', async () => {
  const stage = await openStage();
  const { app } = stage;
  app.get('/undeclared', (c) => c.text('nobody knows this'));
  await stage.ask('GET', '/vehicles');
  expect(await takeFindings()).toEqual([]);
  await stage.ask('GET', '/undeclared');
  expect(await takeFindings()).toEqual([expect.stringContaining('GET /undeclared answered 200.')]);
});
