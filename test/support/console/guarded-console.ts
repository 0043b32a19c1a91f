import { limits } from '../../../console/limits.ts';
import { WRITE_HEADER } from '../../../console/server/page-guard.ts';
import { replayApp } from '../../../console/server/replay-app.ts';
import type { ScenarioRunner } from '../../../console/server/scenario-routes.ts';
import type { ServedTrace } from '../../../console/server/served-trace.ts';
import { controlLimits } from '../../../simulator/limits.ts';
import { realIds } from '../../../world/ids/real-ids.ts';
import { realTime } from '../../../world/time/real-time.ts';
import type { ApiStage, RouteRows } from '../guards/route-rows.ts';
import { consoleStage } from './console-stage.ts';

const ORIGIN = 'http://127.0.0.1:8100';
const PROMISED = {
  'content-security-policy': /^default-src 'none'; .*frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^no-store$/,
} as const;
const TEXT = { text: 'name: one\n' };
const BRANCH = { document: { steps: [] }, steps: 0, atMs: 0 };
const PAGE = { at: '/', status: 200, isOpen: true, reaches: /page index\.html/ } as const;
const { bodyBytes: large } = limits;
const { bodyBytes: small } = controlLimits;

/** Of every route of the console. The box is the first one of the fleet. */
export function consoleRows(boxId: string): RouteRows {
  const zone = { around: { latitude: 52, longitude: 13 }, radiusM: 100 };
  return {
    'GET /*': PAGE,
    'GET /console/actions': { at: '/console/actions', status: 200, reaches: /control GET \// },
    'GET /console/coverage': { at: '/console/coverage', status: 200, reaches: /control GET \/coverage/ },
    'GET /console/facts': { at: '/console/facts', status: 200 },
    'GET /console/faults': { at: '/console/faults', status: 200, reaches: /control GET \/faults/ },
    'GET /console/fleet': { at: '/console/fleet', status: 200, reads: 2, reaches: /control GET \/fleet/ },
    'GET /console/frame-bytes/:hex': { at: '/console/frame-bytes/00ff', status: 200 },
    'GET /console/health': { at: '/console/health', status: 200, reaches: /service GET \/health/ },
    'GET /console/map.pmtiles': {
      at: '/console/map.pmtiles',
      status: 206,
      reaches: /map 0 8/,
      headers: { range: 'bytes=0-7' },
    },
    'GET /console/messages': { at: '/console/messages', status: 200, reaches: /messages opened/ },
    'GET /console/runs/:id': { at: '/console/runs/1', status: 200, reaches: /scenarios runOf 1/ },
    'GET /console/runs/:id/trace': {
      at: '/console/runs/1/trace',
      status: 200,
      reaches: /scenarios traceOf 1/,
    },
    'GET /console/scenario-schema': { at: '/console/scenario-schema', status: 200 },
    'GET /console/scenarios': { at: '/console/scenarios', status: 200, reaches: /scenarios list/ },
    'GET /console/scenarios/:name': {
      at: '/console/scenarios/one',
      status: 200,
      reaches: /scenarios read one/,
    },
    'GET /console/session': { at: '/console/session', status: 200 },
    'GET /console/status': { at: '/console/status', status: 200, reaches: /service GET \/health\/live/ },
    'GET /console/streets': { at: '/console/streets', status: 200, reaches: /control GET \/routes/ },
    'GET /console/vehicles/:boxId': {
      at: `/console/vehicles/${boxId}`,
      status: 200,
      reaches: new RegExp(`control GET /boxes/${boxId}`),
    },
    'GET /console/vehicles/:boxId/wire': {
      at: `/console/vehicles/${boxId}/wire`,
      status: 200,
      reaches: /\/wire/,
    },
    'GET /console/weather': { at: '/console/weather', status: 200, reaches: /control GET \/weather/ },
    'GET /console/zones': { at: '/console/zones', status: 200 },
    'POST /console/branches': { at: '/console/branches', status: 200, body: BRANCH, mostBytes: large },
    'POST /console/calls': {
      at: '/console/calls',
      status: 200,
      body: { method: 'DELETE', path: '/vehicles/V' },
      mostBytes: large,
      reaches: /service DELETE \/vehicles\/V/,
    },
    'POST /console/faults': {
      at: '/console/faults',
      status: 200,
      body: { weather: { coverage: 'none' } },
      mostBytes: large,
      reaches: /control POST \/faults/,
    },
    'POST /console/faults/:id/remove': {
      at: '/console/faults/1/remove',
      status: 200,
      reaches: /control DELETE \/faults\/1/,
    },
    'POST /console/runs': {
      at: '/console/runs',
      status: 200,
      body: TEXT,
      mostBytes: large,
      reaches: /scenarios run/,
    },
    'POST /console/scenario-checks': {
      at: '/console/scenario-checks',
      status: 200,
      body: TEXT,
      mostBytes: large,
      reaches: /scenarios check/,
    },
    'POST /console/scenarios': {
      at: '/console/scenarios',
      status: 200,
      body: { name: 'one', text: TEXT.text },
      mostBytes: large,
      reaches: /scenarios save one/,
    },
    'POST /console/vehicles/:boxId/acts/:act': {
      at: `/console/vehicles/${boxId}/acts/cut-link`,
      status: 200,
      body: {},
      mostBytes: small,
      reaches: /cut-link/,
    },
    'POST /console/weather': {
      at: '/console/weather',
      status: 200,
      body: { preset: 'city' },
      mostBytes: small,
      reaches: /control PUT \/weather/,
    },
    'POST /console/zones': {
      at: '/console/zones',
      status: 200,
      body: zone,
      mostBytes: small,
      reaches: /radiusM/,
    },
    'POST /console/zones/:id/remove': { at: '/console/zones/1/remove', status: 404 },
  };
}

/** Of every route of a console that shows one trace. */
export const REPLAY_ROWS: RouteRows = {
  'GET /*': { ...PAGE, reaches: /page replay\.html/ },
  'GET /console/trace': { at: '/console/trace', status: 200, reaches: /trace opened/ },
  'POST /console/branches': { at: '/console/branches', status: 200, body: BRANCH, mostBytes: large },
};

/** A console with all of its parts, each of which tells what reaches it, and an open page of it. */
export async function guardedConsole() {
  const reached: string[] = [];
  let openFeeds = 0;
  const stage = consoleStage({
    count: 1,
    before: (request) => {
      const { pathname } = new URL(request.url);
      reached.push(`control ${request.method} ${pathname}`);
      if (pathname === '/routes') return Response.json({ items: [] });
      return /^\/(?:weather|coverage|faults)/.test(pathname) ? Response.json({}) : undefined;
    },
    service: {
      baseUrl: 'http://127.0.0.1:8080',
      clientId: 'console',
      clientSecret: 'secret',
      fetch: ({ method, url }) => {
        const { pathname } = new URL(url);
        if (pathname === '/auth/oauth/token') return Response.json({ access_token: 'a-token' });
        reached.push(`service ${method} ${pathname}`);
        return Response.json({});
      },
    },
    messages: {
      open: () => {
        reached.push('messages opened');
        openFeeds += 1;
        return async () => {
          openFeeds -= 1;
        };
      },
    },
    scenarios: runnerThatTells(reached),
    map: {
      base: { kind: 'archive' },
      archive: {
        bytes: 100,
        version: 'one',
        read: async (offset, length) => {
          reached.push(`map ${offset} ${length}`);
          return new Uint8Array(length);
        },
      },
    },
    onFile: (path) => reached.push(`page ${path}`),
  });
  const cookie = cookieOf(await stage.request('/'));
  reached.splice(0);
  const own = { cookie, [WRITE_HEADER]: '1' };
  const told = async (path: string) => (await stage.request(path, { headers: own })).text();
  const guarded: ApiStage = {
    app: stage.app,
    origin: ORIGIN,
    own,
    promised: PROMISED,
    effects: async () =>
      JSON.stringify([reached, await told('/console/zones'), await told('/console/session')]),
  };
  /** What streams hold open: the frames of a box, and the messages once nobody has read them for a while. */
  const openStreams = async () => {
    await stage.loop.runUntil(stage.loop.nowMs + limits.messageLingerMs);
    return stage.tap.listeners() + openFeeds;
  };
  return { ...guarded, app: stage.app, cookie, reached, openStreams, boxId: stage.first.plan.boxId };
}

/** A console that shows one trace, in the same way. */
export async function guardedReplay() {
  const reached: string[] = [];
  const app = replayApp({
    ids: realIds(realTime()),
    trace: traceThatTells(reached),
    page: async (path) => {
      if (path !== 'replay.html') return undefined;
      reached.push(`page ${path}`);
      const bytes = new TextEncoder().encode('<!doctype html>');
      return { bytes, mediaType: 'text/html', isImmutable: false };
    },
  });
  const cookie = cookieOf(await app.request(`${ORIGIN}/`));
  reached.splice(0);
  const own = { cookie, [WRITE_HEADER]: '1' };
  const effects = async () => JSON.stringify(reached);
  const guarded: ApiStage = { app, origin: ORIGIN, own, promised: PROMISED, effects };
  return { ...guarded, app, cookie, reached, openStreams: async () => 0, boxId: '' };
}

function cookieOf(served: Response): string {
  const [cookie = ''] = (served.headers.get('set-cookie') ?? '').split(';');
  return cookie;
}

function runnerThatTells(reached: string[]): ScenarioRunner {
  const run = {
    id: '1',
    report: '',
    verdict: undefined,
    tookMs: 0,
    state: 'running',
    hasTrace: false,
  } as const;
  const tell = <T>(what: string, result: T): Promise<T> => {
    reached.push(`scenarios ${what}`);
    return Promise.resolve(result);
  };
  return {
    list: () => tell('list', []),
    read: (name) => tell(`read ${name}`, TEXT.text),
    save: (name) => tell(`save ${name}`, undefined),
    check: () => tell('check', []),
    run: () => tell('run', run),
    runOf: (id) => tell(`runOf ${id}`, run),
    traceOf: (id) => tell(`traceOf ${id}`, traceThatTells(reached)),
  };
}

function traceThatTells(reached: string[]): ServedTrace {
  return {
    name: 'a trace',
    size: 0,
    open: () => {
      reached.push('trace opened');
      return Promise.resolve(new ReadableStream({ start: (controller) => controller.close() }));
    },
  };
}
