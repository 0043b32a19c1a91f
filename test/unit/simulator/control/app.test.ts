import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import { controlLimits } from '../../../../simulator/limits.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

function stage(count = 3) {
  const fleet = fakeFleet(count);
  const app = controlApp(fleet, fakeTap());
  const json = async (response: Response) => (await response.json()) as Record<string, unknown>;
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
  return { ...fleet, app, json, post, id: fleet.first.plan.boxId };
}

describe('the control API', () => {
  test('is documented: every action with a sentence, a schema and a working example', async () => {
    const { app, json, post, boxes } = stage(15);
    const face = (await json(await app.request('/'))) as {
      boxes: number;
      post: Record<string, { example: unknown }>;
    };
    expect(face.boxes).toBe(15);
    expect(Object.keys(face.post)).toEqual(Object.keys(BOX_ACTIONS).map((name) => `/boxes/{id}/${name}`));
    // No vehicle can do everything: a moped has no sunroof, and a car no top case.
    const all = [...boxes.values()];
    for (const [path, { example }] of Object.entries(face.post)) {
      const answers = await Promise.all(
        all.map((box) => post(path.replace('{id}', box.plan.vehicleId), example)),
      );
      expect(
        answers.map(({ status }) => status),
        path,
      ).toContain(200);
    }
  });

  test('shows each box with truth and belief, and never its secret', async () => {
    const { app, json, plans, id } = stage();
    const text = await (await app.request('/boxes')).text();
    const list = JSON.parse(text) as { items: { boxId: string; truth: object; belief: object }[] };
    expect(list.items.map((item) => item.boxId)).toEqual(plans.map((plan) => plan.boxId).sort());
    expect(list.items[0]?.truth).toHaveProperty('speedKph');
    expect(list.items[0]?.belief).toMatchObject({ boot: 1, firmware: '2.30' });
    for (const plan of plans) expect(text).not.toContain(plan.secret);
    expect(await json(await app.request(`/boxes/${id}`))).toMatchObject({ boxId: id, firmware: '2.30' });
  });

  test('pages through a large fleet without losing or repeating a box', async () => {
    const { app, plans } = stage(23);
    const seen: string[] = [];
    let path: string | undefined = '/boxes?limit=5';
    while (path !== undefined) {
      const page = (await (await app.request(path)).json()) as { items: { boxId: string }[]; next?: string };
      seen.push(...page.items.map((item) => item.boxId));
      path = page.next;
    }
    expect(seen).toEqual(plans.map((plan) => plan.boxId).sort());
    expect((await app.request('/boxes?limit=0')).status).toBe(400);
    expect((await app.request('/boxes?limit=many')).status).toBe(400);
  });

  test('accepts a box id or a vehicle id', async () => {
    const { app, json, first } = stage();
    const byVehicle = await json(await app.request(`/boxes/${first.plan.vehicleId}`));
    expect(byVehicle['boxId']).toBe(first.plan.boxId);
  });

  test('tells the records of a journal by the page', async () => {
    const { app, json, id } = stage();
    expect(await json(await app.request(`/boxes/${id}/journal`))).toMatchObject({
      held: [],
      inFlight: [],
      records: [],
    });
    expect((await app.request(`/boxes/${id}/journal?limit=0`)).status).toBe(400);
    expect((await app.request(`/boxes/${id}/journal?after=x`)).status).toBe(400);
    expect((await app.request('/boxes/nobody/journal')).status).toBe(404);
    expect((await app.request(`/boxes/${id}/journal`, { method: 'POST' })).status).toBe(405);
  });

  test('carries out the actions on a vehicle', async () => {
    const { post, json, id, first } = stage();
    await post(`/boxes/${id}/coverage`, { available: false });
    expect(first.truth()).toMatchObject({ hasCoverage: false });
    await post(`/boxes/${id}/coverage`, { available: true });
    await post(`/boxes/${id}/signal`, { csq: 7 });
    expect(first.truth()).toMatchObject({ hasCoverage: true, csq: 7 });
    await post(`/boxes/${id}/brown-out`);
    expect(Number(first.truth()['supplyMillivolts'])).toBeLessThan(6_000);
    first.advance(10_000);
    expect(Number(first.truth()['speedKph'])).toBeGreaterThan(0);
    await post(`/boxes/${id}/park`, {});
    first.advance(10_000);
    expect(first.truth()).toMatchObject({ speedKph: 0, ignitionOn: false });
    const opened = await json(await post(`/boxes/${id}/doors`, { open: true }));
    expect(opened['truth']).toMatchObject({ anyDoorOpen: true });
    await post(`/boxes/${id}/drive`);
    first.advance(15_000);
    expect(first.truth()).toMatchObject({ anyDoorOpen: false, ignitionOn: true });
    expect(Number(first.truth()['speedKph'])).toBeGreaterThan(0);
    await post(`/boxes/${id}/ignition`, { on: false });
    first.advance(10_000);
    expect(first.truth()).toMatchObject({ speedKph: 0, ignitionOn: false });
  });

  test('makes a driver drive slower, take another route, and brake heavily', async () => {
    const { post, json, id, first } = stage();
    await post(`/boxes/${id}/drive`, { pace: 0.5 });
    first.advance(10_000);
    expect(first.truth()).toMatchObject({ pace: 0.5 });
    expect(Number(first.truth()['speedKph'])).toBeGreaterThan(0);
    const moving = await post(`/boxes/${id}/drive`, { route: 'hamburg-alster' });
    expect(moving.status).toBe(409);
    expect((await json(moving))['detail']).toContain('Let it park first');
    const unknown = await post(`/boxes/${id}/drive`, { route: 'atlantis' });
    expect(unknown.status).toBe(409);
    expect((await json(unknown))['detail']).toContain('There are: berlin-west, berlin-east, hamburg-alster');
    await post(`/boxes/${id}/park`);
    first.advance(20_000);
    const idle = await post(`/boxes/${id}/maneuver`, { what: 'emergency-stop' });
    expect((await json(idle))['detail']).toContain('Let it drive first');
    expect((await post(`/boxes/${id}/drive`, { route: 'munich-leopold', pace: 1 })).status).toBe(200);
    expect(first.truth()).toMatchObject({ route: 'munich-leopold', pace: 1 });
    const straight = await post(`/boxes/${id}/maneuver`, { what: 'harsh-cornering' });
    expect(straight.status).toBe(409);
    expect((await json(straight))['detail']).toContain('No bend of this route');
    await post(`/boxes/${id}/maneuver`, { what: 'heavy-braking', acceleration_in_mg: 500 });
    expect(first.truth()).toMatchObject({ maneuver: 'heavy-braking' });
    let hardest = 0;
    for (let second = 0; second < 120; second += 1) {
      first.advance(250);
      hardest = Math.min(hardest, Number(first.truth()['longitudinalMg']));
    }
    expect(hardest).toBeCloseTo(-500, 6);
    expect(first.truth()).toMatchObject({ maneuver: null });
  });

  test('carries out the actions on a box', async () => {
    const { post, id, first } = stage();
    await post(`/boxes/${id}/cut-link`);
    await post(`/boxes/${id}/reset`, { reason: 'WATCHDOG' });
    await post(`/boxes/${id}/sim`, { state: 'suspended' });
    expect(first.calls).toEqual(['cut-link', 'reset WATCHDOG', 'sim suspended']);
  });

  test('jams parts, opens the top case and retracts the stand if the vehicle has them', async () => {
    const { boxes, post, json } = stage(6);
    const moped = [...boxes.values()].find((box) => box.plan.model === 'electric-moped');
    const car = [...boxes.values()].find((box) => box.plan.model === 'petrol-compact');
    if (moped === undefined || car === undefined) throw new Error('a model is missing');
    const say = (box: typeof car, action: string, body: unknown) =>
      post(`/boxes/${box.plan.boxId}/${action}`, body);
    expect((await say(moped, 'mechanics', { top_case: 'failing' })).status).toBe(200);
    expect(moped.truth()).toMatchObject({ mechanics: { top_case: 'failing', immobilizer: 'works' } });
    const locked = await say(moped, 'top-case', { open: true });
    expect(locked.status).toBe(409);
    expect((await json(locked))['detail']).toContain('unlock-top-case');
    expect((await say(moped, 'center-stand', { extended: false })).status).toBe(200);
    expect(moped.truth()).toMatchObject({ standExtended: false });
    for (const [action, body] of [
      ['mechanics', { top_case: 'jammed' }],
      ['top-case', { open: true }],
      ['shut-battery-compartment', {}],
      ['center-stand', { extended: true }],
    ] as const) {
      const refused = await say(car, action, body);
      expect(refused.status, action).toBe(409);
      expect((await json(refused))['detail']).toContain('petrol-compact');
    }
  });

  test('breaks, hangs and reprograms the box, and undoes it', async () => {
    const { first, post, id } = stage();
    const say = (action: string, body: unknown) => post(`/boxes/${id}/${action}`, body);
    await say('box-error', { text: 'output driver over temperature', once: false });
    await say('box-error', {});
    await say('silence', { seconds: 2.5 });
    await say('silence', { seconds: 0 });
    await say('firmware', { version: '2.23' });
    expect(first.calls).toEqual([
      'fault {"text":"output driver over temperature","isPassing":false}',
      'fault undefined',
      'hang 2500',
      'hang 0',
      'firmware 2.23',
    ]);
    expect((await say('firmware', { version: '2.256' })).status).toBe(409);
    expect((await say('firmware', { version: 'new' })).status).toBe(400);
    expect((await say('box-error', { text: 'ä' })).status).toBe(400);
    expect((await say('silence', { seconds: 601 })).status).toBe(400);
  });

  test('says why a vehicle cannot start or be opened, and what to do first', async () => {
    const { post, json, boxes } = stage(5);
    const parked = [...boxes.values()].find((box) => !box.plan.driving);
    if (parked === undefined) throw new Error('none is parked');
    const drive = await post(`/boxes/${parked.plan.boxId}/drive`);
    expect(drive.status).toBe(409);
    expect((await json(drive))['detail']).toContain('enable-driving');
    const open = await post(`/boxes/${parked.plan.boxId}/doors`, { open: true });
    expect(open.status).toBe(409);
    expect((await json(open))['detail']).toContain('unlock-central-lock');
    expect((await post(`/boxes/${parked.plan.boxId}/doors`, { open: false })).status).toBe(200);
  });

  test('answers unknown boxes, actions and paths with a problem that says what to do', async () => {
    const { app, post, json, id } = stage();
    const box = await post('/boxes/ffffffffffffffff/drive');
    expect(box.status).toBe(404);
    expect(box.headers.get('content-type')).toBe('application/problem+json');
    expect(await json(box)).toEqual({
      type: '/problems/resource-not-found',
      title: 'The resource cannot be found.',
      status: 404,
      detail: 'No box and no vehicle has the id "ffffffffffffffff". GET /boxes lists them.',
    });
    expect((await json(await post(`/boxes/${id}/explode`)))['detail']).toContain(
      'drive, maneuver, park, doors',
    );
    expect((await app.request('/boxes/NOBODY/wire')).status).toBe(404);
    expect((await app.request('/nowhere')).status).toBe(404);
  });

  test('answers a wrong method with 405 and the allowed one', async () => {
    const { app, id } = stage();
    const cases = [
      [`/boxes/${id}/drive`, 'GET', 'POST'],
      [`/boxes/${id}/wire`, 'POST', 'GET'],
      [`/boxes/${id}`, 'DELETE', 'GET'],
      ['/boxes', 'POST', 'GET'],
      ['/', 'PUT', 'GET'],
    ] as const;
    for (const [path, method, allow] of cases) {
      const response = await app.request(path, { method });
      expect([response.status, response.headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
    }
  });

  test('names the invalid property of a body, and shows a valid one', async () => {
    const { post, json, id } = stage();
    const detail = async (path: string, body: unknown) => {
      const response = await post(`/boxes/${id}/${path}`, body);
      expect(response.status).toBe(400);
      return (await json(response))['detail'];
    };
    expect(await detail('signal', { csq: 32 })).toMatch(/^csq: .*\{"csq":9\}$/);
    expect(await detail('doors', { open: 'yes' })).toMatch(/^open: /);
    expect(await detail('doors', {})).toMatch(/^open: /);
    expect(await detail('doors', { open: true, wide: true })).toContain('wide');
    expect(await detail('drive', { fast: true })).toContain('fast');
    expect(await detail('drive', [])).toBeTypeOf('string');
    expect(await detail('doors', '{"open":')).toBe('The body is no JSON.');
  });

  test('never fails, whatever JSON is sent to any action', async () => {
    const { post, id } = stage();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(BOX_ACTIONS)), fc.jsonValue(), async (action, body) => {
        const response = await post(`/boxes/${id}/${action}`, JSON.stringify(body));
        expect([200, 400, 409]).toContain(response.status);
      }),
      { numRuns: 200 },
    );
  });

  test('refuses a body that is too large or not declared as JSON, or compressed', async () => {
    const { app, post, id } = stage();
    expect((await post(`/boxes/${id}/doors`, ' '.repeat(controlLimits.bodyBytes + 1))).status).toBe(413);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const response = await app.request(`/boxes/${id}/doors`, {
        method: 'POST',
        body: '{"open":true}',
        headers: { 'content-type': type },
      });
      expect(response.status, type).toBe(415);
    }
    const compressed = await post(`/boxes/${id}/doors`, { open: true }, { 'content-encoding': 'gzip' });
    expect(await compressed.json()).toMatchObject({
      status: 415,
      detail: 'Send the body without a Content-Encoding.',
    });
    const typed = await post(
      `/boxes/${id}/doors`,
      { open: false },
      { 'content-type': 'Application/JSON; charset=utf-8' },
    );
    expect(typed.status).toBe(200);
  });

  test('refuses web pages: foreign host names for this machine, and pages of other origins', async () => {
    const { app, post, id } = stage();
    for (const host of [
      'evil.example',
      'evil.example:8090',
      '127.0.0.1.evil.example',
      '127.evil.example',
      '10.0.0.1',
      '@@',
    ]) {
      expect((await app.request('/boxes', { headers: { host } })).status, host).toBe(403);
    }
    expect((await app.request('http://evil.example/boxes')).status).toBe(403);
    for (const host of ['127.0.0.1:8090', '127.0.0.2:8090', 'localhost', 'localhost:1', '[::1]:8090']) {
      expect((await app.request('/boxes', { headers: { host } })).status, host).toBe(200);
    }
    for (const origin of ['https://evil.example', 'null', '', 'http://127.0.0.1.evil.example:8090']) {
      expect((await post(`/boxes/${id}/drive`, undefined, { origin })).status, origin).toBe(403);
    }
  });

  test('accepts only pages of its own origin: scheme, host and port', async () => {
    const { post, json, id } = stage();
    const from = (origin: string, host: string) => post(`/boxes/${id}/drive`, undefined, { origin, host });
    for (const host of ['127.0.0.1:8090', 'localhost:8090', '[::1]:8090', 'localhost'])
      expect((await from(`http://${host}`, host)).status, host).toBe(200);
    expect((await from('http://localhost', 'LOCALHOST:80')).status).toBe(200);
    for (const origin of [
      'http://localhost:3000',
      'http://127.0.0.1:8080',
      'http://127.0.0.1',
      'https://127.0.0.1:8090',
      'http://localhost:8090',
      'http://127.0.0.1:8090/',
    ]) {
      const refused = await from(origin, '127.0.0.1:8090');
      expect(refused.status, origin).toBe(403);
      expect((await json(refused))['detail']).toContain('scheme, host and port');
    }
  });

  test('checks the fetch metadata of the browser, and allows links', async () => {
    const { app, post, id } = stage();
    const said = (site: string, mode = 'no-cors', dest = 'image') => ({
      'sec-fetch-site': site,
      'sec-fetch-mode': mode,
      'sec-fetch-dest': dest,
    });
    const get = async (headers: Record<string, string>) => (await app.request('/boxes', { headers })).status;
    for (const site of ['same-origin', 'none']) expect(await get(said(site)), site).toBe(200);
    for (const site of ['cross-site', 'same-site', 'something-new']) {
      expect(await get(said(site)), site).toBe(403);
      expect(await get(said(site, 'navigate', 'iframe')), site).toBe(403);
      expect(await get(said(site, 'navigate', 'document')), site).toBe(200);
      const form = said(site, 'navigate', 'document');
      expect((await post(`/boxes/${id}/drive`, undefined, form)).status, site).toBe(403);
    }
    expect((await app.request('/boxes')).headers.get('x-frame-options')).toBe('DENY');
  });
});

describe('the fleet in short', () => {
  test('has each box once over its pages, and nothing but what a map needs', async () => {
    const { app, plans } = stage(23);
    const seen: { readonly boxId: string }[] = [];
    let path: string | undefined = '/fleet?limit=5';
    while (path !== undefined) {
      const page = (await (await app.request(path)).json()) as {
        readonly boxes: number;
        readonly items: { readonly boxId: string }[];
        readonly next?: string;
      };
      expect(page.boxes).toBe(23);
      seen.push(...page.items);
      path = page.next;
    }
    expect(seen.map(({ boxId }) => boxId)).toEqual(plans.map((plan) => plan.boxId).sort());
    expect(seen[0]).toMatchObject({ session: 'ready', heldRecords: 0, firmware: '2.30', speedKph: 0 });
    expect(Object.keys(seen[0] ?? {})).not.toContain('secret');
  });

  test('goes on behind an id that is no box, and refuses a limit that is none', async () => {
    const { app, json, plans } = stage(3);
    const ids = plans.map((plan) => plan.boxId).sort();
    const page = (await json(await app.request(`/fleet?after=${ids[0]}0`))) as { items: { boxId: string }[] };
    expect(page.items.map(({ boxId }) => boxId)).toEqual(ids.slice(1));
    expect((await app.request('/fleet?limit=0')).status).toBe(400);
    expect((await app.request('/fleet', { method: 'POST' })).status).toBe(405);
  });
});
