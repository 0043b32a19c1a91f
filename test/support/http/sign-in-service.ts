import { registerClient } from '../../../backend/access/clients.ts';
import { registerUser } from '../../../backend/access/users.ts';
import { FakeBrowser, type ShownPage } from './fake-browser.ts';
import {
  FLEET_ID,
  jsonObjectOf,
  openTestService,
  type TestService,
  type TestServiceOptions,
} from './test-service.ts';

export const CALLBACK_URL = 'http://127.0.0.1/callback';
export const PASSWORD = 'correct horse battery';
/** RFC 7636 appendix B. */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export interface SignInService {
  readonly stage: TestService;
  readonly baseUrl: string;
  readonly browser: FakeBrowser;
  send(request: Request): Promise<Response>;
  /** The address of an authorization request; a parameter that is `undefined` is left out. */
  asking(change?: Readonly<Record<string, string | undefined>>): URL;
  /** Signs in and allows, in a new browser; resolves with the parameters that the client gets. */
  allow(change?: Readonly<Record<string, string | undefined>>): Promise<URLSearchParams>;
  code(change?: Readonly<Record<string, string | undefined>>): Promise<string>;
  /** Posts a form to a path, as the client `app` by default. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    client?: string,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Exchanges a code. */
  exchange(
    code: string,
    change?: Readonly<Record<string, string>>,
    client?: string,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** The status of GET /vehicles with a token. */
  look(token: unknown): Promise<number>;
}

/**
 * A test service with the person `ada` (vehicles.ro, vehicle-commands), the client `app` (vehicles,
 * message-subscriptions, vehicle-commands), the client `other`, the public client `phone`, and a person and a
 * client of another fleet. `isReal`: without virtual time, for cryptography in real threads.
 */
export async function openSignInService(
  options: TestServiceOptions & { readonly isReal?: boolean } = {},
): Promise<SignInService> {
  const stage = await openTestService(options);
  const baseUrl = options.baseUrl ?? 'http://service.test';
  const { world, store } = stage;
  const { access, grants } = store;
  const permissions = ['vehicles', 'message-subscriptions', 'vehicle-commands'];
  const redirectUris = [CALLBACK_URL, 'https://app.test/back?tenant=1'];
  const clients = [
    { id: 'app', secret: 'secret-of-app', fleetId: FLEET_ID, permissions, redirectUris },
    { id: 'other', secret: 'secret-of-other', fleetId: FLEET_ID, permissions, redirectUris },
    { id: 'machine', secret: 'secret-of-machine', fleetId: FLEET_ID, permissions },
    { id: 'phone', isPublic: true, fleetId: FLEET_ID, permissions, redirectUris },
    { id: 'stranger', secret: 'secret-of-stranger', fleetId: 'FLEET2', permissions, redirectUris },
  ];
  for (const client of clients) {
    await access.saveFleet({ id: client.fleetId, name: client.fleetId });
    await registerClient(access, world, client);
  }
  const ada = { name: 'ada', password: PASSWORD, permissions: ['vehicles.ro', 'vehicle-commands'] };
  await registerUser(grants, world, { ...ada, fleetId: FLEET_ID });
  await registerUser(grants, world, { ...ada, name: 'eve', fleetId: 'FLEET2' });

  const send = (request: Request): Promise<Response> => {
    const answer = Promise.resolve(stage.app.fetch(request, { address: '192.0.2.1' }));
    return options.isReal === true ? answer : stage.loop.runWhile(answer, { withinMs: 60_000 });
  };
  const scene: SignInService = {
    stage,
    baseUrl,
    browser: new FakeBrowser(send),
    send,
    asking(change = {}) {
      const parameters = {
        response_type: 'code',
        client_id: 'app',
        redirect_uri: 'http://127.0.0.1:4711/callback',
        scope: 'VEHICLES_RO VEHICLE_COMMANDS',
        state: 'st-1',
        code_challenge: CODE_CHALLENGE,
        code_challenge_method: 'S256',
        ...change,
      };
      const url = new URL('/auth/oauth/authorize', baseUrl);
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) url.searchParams.set(name, value);
      return url;
    },
    async allow(change) {
      const browser = new FakeBrowser(send);
      const consent = await signIn(browser, await browser.open(scene.asking(change)));
      return (await browser.submit(consent, 'consent', { decision: 'allow' })).at.searchParams;
    },
    async code(change) {
      const told = await scene.allow(change);
      const code = told.get('code');
      if (code === null) throw new Error(`no code: ${told}`);
      return code;
    },
    async post(path, fields, client = 'app') {
      const isPublic = client === 'phone';
      const answer = await send(
        new Request(`${baseUrl}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            ...(isPublic ? {} : { authorization: `Basic ${btoa(`${client}:secret-of-${client}`)}` }),
          },
          body: new URLSearchParams(isPublic ? { ...fields, client_id: client } : fields).toString(),
        }),
      );
      const text = await answer.clone().text();
      return { status: answer.status, body: text === '' ? {} : await jsonObjectOf(answer) };
    },
    exchange: (code, change = {}, client) =>
      scene.post(
        '/auth/oauth/token',
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: 'http://127.0.0.1:4711/callback',
          code_verifier: CODE_VERIFIER,
          ...change,
        },
        client,
      ),
    async look(token) {
      const headers = { authorization: `Bearer ${String(token)}` };
      return (await send(new Request(`${baseUrl}/vehicles`, { headers }))).status;
    },
  };
  return scene;
}

export function signIn(
  browser: FakeBrowser,
  page: ShownPage,
  name = 'ada',
  password = PASSWORD,
): Promise<ShownPage> {
  return browser.submit(page, 'sign-in', { name, password });
}
