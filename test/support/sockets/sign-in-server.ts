import { type HttpServer, serveHttp } from '../../../deployment/http/http-server.ts';
import { makeSigningKey, realCrypto } from '../../../world/crypto/real-crypto.ts';
import { FakeBrowser } from '../http/fake-browser.ts';
import { openSignInService, type SignInService } from '../http/sign-in-service.ts';

export interface SignInServer {
  readonly scene: SignInService;
  readonly baseUrl: string;
  /** A browser that speaks over sockets. */
  browser(): FakeBrowser;
  close(): Promise<void>;
}

/**
 * The scene of the unit tests behind a real socket, with RSA signatures and scrypt; its clock is fixed until it is set.
 */
export async function startSignInServer(): Promise<SignInServer> {
  const made = Promise.withResolvers<SignInService>();
  const server: HttpServer = await serveHttp({ port: 0 }, async (request, peer) =>
    (await made.promise).stage.app.fetch(request, peer),
  );
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const scene = await openSignInService({
    baseUrl,
    crypto: await realCrypto(await makeSigningKey()),
    isReal: true,
  });
  // Clients compare the times of tokens with their own clock.
  const { loop } = scene.stage;
  if (loop.nowMs < Date.now()) await loop.runUntil(Date.now());
  made.resolve(scene);
  return {
    scene,
    baseUrl,
    browser: () => new FakeBrowser((request) => fetch(request, { redirect: 'manual' })),
    close: () => server.close(),
  };
}
