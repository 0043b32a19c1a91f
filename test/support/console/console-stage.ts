import { type ConsoleParts, consoleApp } from '../../../console/server/console-app.ts';
import type { MessageFeed } from '../../../console/server/message-watch.ts';
import type { PageFile } from '../../../console/server/page-routes.ts';
import type { ScenarioRunner } from '../../../console/server/scenario-routes.ts';
import type { ServiceSource } from '../../../console/server/sources.ts';
import { controlApp } from '../../../simulator/control/app.ts';
import { realIds } from '../../../world/ids/real-ids.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';
import { fakeFleet, fakeTap } from '../simulator/fake-fleet.ts';

const INDEX: PageFile = {
  bytes: new TextEncoder().encode('<!doctype html>'),
  mediaType: 'text/html; charset=utf-8',
  isImmutable: false,
};

/** A console over a fleet without firmware, in virtual time. */
export function consoleStage(
  parts: {
    readonly count?: number;
    readonly service?: ServiceSource;
    readonly messages?: MessageFeed;
    readonly scenarios?: ScenarioRunner;
    readonly map?: ConsoleParts['map'];
    /** Told of every file of the page that is served. */
    readonly onFile?: (path: string) => void;
    /** Answers instead of the simulator; undefined: the simulator does. */
    readonly before?: (request: Request) => Response | undefined;
  } = {},
) {
  const fleet = fakeFleet(parts.count ?? 3);
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('console'));
  const tap = fakeTap();
  const control = controlApp(fleet, tap);
  const asked: string[] = [];
  const { app, end } = consoleApp({
    world: { time, ids: realIds(time) },
    sources: {
      control: (request) => {
        asked.push(new URL(request.url).pathname);
        return parts.before?.(request) ?? control.fetch(request);
      },
      service: parts.service,
    },
    messages: parts.messages,
    scenarios: parts.scenarios,
    seed: 7,
    map: parts.map,
    page: async (path) => {
      if (path !== 'index.html') return undefined;
      parts.onFile?.(path);
      return INDEX;
    },
    hosts: 'loopback',
  });
  const request = (path: string, init: RequestInit = {}) => app.request(`http://127.0.0.1:8100${path}`, init);
  /** As the page: with the cookie that the page was served with, and the header of writes. */
  const asPage = async (path: string, init: RequestInit = {}) => {
    const served = await request('/');
    const [cookie = ''] = (served.headers.get('set-cookie') ?? '').split(';');
    return request(path, { ...init, headers: { cookie, 'x-boxtwin-console': '1', ...init.headers } });
  };
  return { ...fleet, app, end, loop, time, tap, asked, request, asPage };
}
