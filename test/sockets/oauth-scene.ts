import { type HttpServer, serveHttp } from '../../cli/http-server.ts';
import { makeSealKey, realSeal } from '../../world/real-seal.ts';
import { Browser } from '../unit/backend/access/browser.ts';
import { openScene, type Scene } from '../unit/backend/access/person.ts';

export interface SocketScene {
  readonly scene: Scene;
  readonly baseUrl: string;
  /** A browser that speaks over sockets. */
  browser(): Browser;
  close(): Promise<void>;
}

/** The scene of the unit tests behind a real socket, with RSA signatures and scrypt; its clock stands until it is set. */
export async function openSocketScene(): Promise<SocketScene> {
  const made = Promise.withResolvers<Scene>();
  const server: HttpServer = await serveHttp(0, async (request, peer) =>
    (await made.promise).stage.app.fetch(request, peer),
  );
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const scene = await openScene({ baseUrl, seal: await realSeal(await makeSealKey()), isReal: true });
  // Clients compare the times of tokens with their own clock.
  const { loop } = scene.stage;
  if (loop.nowMs < Date.now()) await loop.runUntil(Date.now());
  made.resolve(scene);
  return {
    scene,
    baseUrl,
    browser: () => new Browser((request) => fetch(request, { redirect: 'manual' })),
    close: () => server.close(),
  };
}
