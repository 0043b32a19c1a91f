import fc from 'fast-check';
import { expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import { apiOperationsOf } from '../../../../simulator/control/root-page.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

/** As browsers ask for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const root = (accept: string | undefined) => {
  const { boxes, plans } = fakeFleet(3);
  const app = controlApp({ boxes }, fakeTap());
  return { plans, answer: app.request('/', accept === undefined ? {} : { headers: { accept } }) };
};

test('a browser gets a page with every box and every action, and no external resource', async () => {
  const { plans, answer } = root(BROWSER);
  const response = await answer;
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(response.headers.get('vary')).toContain('Accept');
  const page = await response.text();
  for (const { boxId, secret } of plans) {
    expect(page).toContain(`/boxes/${boxId}`);
    expect(page).not.toContain(secret);
  }
  for (const name of Object.keys(BOX_ACTIONS)) expect(page).toContain(`POST /boxes/{id}/${name}<`);
  expect(page).not.toMatch(/<script|src=|https?:\/\/(?!localhost)/);
});

test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
  'a program that accepts %s gets JSON',
  async (accept) => {
    const response = await root(accept).answer;
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ boxes: 3 });
  },
);

test('every entry of a description has a path and a sentence, with or without a method', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (description) => {
      for (const { method, path, does } of apiOperationsOf(description))
        expect([typeof method, path !== '', typeof does]).toEqual(['string', true, 'string']);
    }),
  );
  expect(
    apiOperationsOf({
      what: 'no deed',
      get: { '/boxes': 'All.' },
      service: { 'PUT /store': 'Lets it fail.' },
      bluetooth: { '/tokens': { POST: { does: 'Makes one.', example: { seconds: 1 } } } },
    }),
  ).toEqual([
    { method: 'GET', path: '/boxes', does: 'All.' },
    { method: 'PUT', path: '/store', does: 'Lets it fail.' },
    { method: 'POST', path: '/tokens', does: 'Makes one.', example: { seconds: 1 } },
  ]);
});
