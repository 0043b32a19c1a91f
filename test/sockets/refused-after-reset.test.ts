import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';
import { waitUntil } from '../support/run/external-services.ts';

const BOXES = 14;

let running: Running;
beforeAll(async () => {
  running = await start({ seed: 5, vehicles: BOXES });
});
afterAll(() => running.stop());

const command = (id: string, name: string) => running.call('POST', `/vehicles/${id}/box-commands/${name}`);

test(`the next command to each of ${BOXES} boxes that are reset together is refused at once`, async () => {
  const ids = running.vehicles.map(({ id }) => id);
  await waitUntil(async () => {
    const listed = (await (await running.call('GET', '/vehicles?life_status=ONLINE&limit=50')).json()) as {
      items: { id: string }[];
    };
    return ids.every((id) => listed.items.some((item) => item.id === id));
  });
  const answers = await Promise.all(
    ids.map(async (id) => {
      const reset = await command(id, 'board-reset');
      const next = await command(id, 'request-system-status');
      return [reset.status, next.status, ((await next.json()) as { type?: unknown }).type];
    }),
  );
  expect(answers).toEqual(ids.map(() => [204, 409, '/problems/conflicting-resource']));
});
