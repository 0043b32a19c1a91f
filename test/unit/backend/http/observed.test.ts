import { expect, test } from 'vitest';
import { openTestService } from '../../../support/http/test-service.ts';
import { takeAnswerFindings } from '../../../support/openapi/observe-answers.ts';

// Files of one worker share what is loaded: this holds in each of them, whichever came first.
test('every application of a test is observed: an answer that the document does not declare is found', async () => {
  const stage = await openTestService();
  const { app } = stage;
  app.get('/undeclared', (c) => c.text('nobody knows this'));
  await stage.ask('GET', '/vehicles');
  expect(await takeAnswerFindings()).toEqual([]);
  await stage.ask('GET', '/undeclared');
  expect(await takeAnswerFindings()).toEqual([expect.stringContaining('GET /undeclared answered 200.')]);
});
