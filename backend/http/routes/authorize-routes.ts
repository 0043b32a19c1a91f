import { createRoute, z } from '@hono/zod-openapi';
import { getCookie, setCookie } from 'hono/cookie';
import { type AuthorizationResult, handleAuthorization } from '../../access/oauth/authorize.ts';
import type { Issuer } from '../../access/oauth/issue-tokens.ts';
import { AUTHORIZE_PATH } from '../../access/oauth/paths.ts';
import { formTarget, withParameters } from '../../access/oauth/redirect-uri.ts';
import { formOf } from '../../access/oauth/token-request.ts';
import { makeSessions, type SignedInUser } from '../../access/sessions.ts';
import { makeSignIn } from '../../access/sign-in.ts';
import { accessLimits } from '../../base/limits.ts';
import type { Store } from '../../store/port/store.ts';
import type { App } from '../app.ts';
import { type AppContext, addressOf } from '../environment.ts';
import { pageHeaders } from '../security-headers.ts';
import { formFields, queryField } from './oauth-fields.ts';
import { consentPage, noticePage, STYLE, signInPage } from './sign-in-pages.ts';

export interface AuthorizeRoutesParts extends Issuer {
  readonly store: Pick<Store, 'access' | 'grants'>;
}

type Right = Extract<AuthorizationResult, { kind: 'right' }>;

/**
 * The authorization endpoint: a sign-in page, a consent page, and the redirect back to the client. The query carries
 * the request through all steps, and each step validates it again; nothing about it is stored in between.
 */
export function authorizeRoutes(app: App, parts: AuthorizeRoutesParts): void {
  const { world, issuer, store } = parts;
  const sessions = makeSessions(store.grants, world);
  const signIn = makeSignIn(store.grants, world);
  const authorizing = { world, issuer, store: store.access, grants: store.grants };
  const cookie = cookieOf(issuer);
  const { show, refused, secretOf, askToSignIn } = makePages(world, sessions, cookie);

  const judge = (c: AppContext, person?: SignedInUser) =>
    handleAuthorization(authorizing, queryOf(c), { kind: 'look', user: person?.user });

  app.openapi(showRoute, async (c) => {
    const person = await sessions.find(getCookie(c, cookie.name) ?? '');
    const judged = await judge(c, person);
    if (judged.kind === 'refused-here') return refused(c, judged.reason);
    if (judged.kind === 'led-back') return c.redirect(judged.location, 302);
    const { prompt, client, redirectUri } = judged;
    if (prompt.has('none')) {
      const error = person === undefined ? 'login_required' : 'consent_required';
      const state = queryOf(c).get('state') ?? undefined;
      return c.redirect(withParameters(redirectUri, { error, state, iss: issuer }), 302);
    }
    if (person === undefined || prompt.has('login')) return askToSignIn(c, judged);
    if (person.user.fleetId !== client.fleetId)
      return askToSignIn(c, judged, {
        notice: 'You are signed in as a user of a different fleet than the client.',
      });
    const html = consentPage({
      action: actionOf(c),
      formToken: sessions.formToken(secretOf(c)),
      clientId: client.id,
      userName: person.user.name,
      scopes: judged.scopes,
      leadsTo: redirectUri,
    });
    return show(c, html, 200, formTarget(redirectUri));
  });

  app.openapi(decideRoute, async (c) => {
    const held = getCookie(c, cookie.name) ?? '';
    const person = await sessions.find(held);
    const judged = await judge(c, person);
    if (judged.kind === 'refused-here') return refused(c, judged.reason);
    if (judged.kind === 'led-back') return c.redirect(judged.location, 303);
    const form = formOf(c.get('body'));
    if (typeof form === 'string') return refused(c, form);
    if (held === '' || !sessions.isFormToken(held, form.get('form_token') ?? ''))
      return show(
        c,
        noticePage('This form is no longer valid', 'Go back, reload the page and try again.'),
        403,
      );
    switch (form.get('deed')) {
      case 'sign-in': {
        const name = form.get('name') ?? '';
        const signedIn = await signIn(name, form.get('password') ?? '', addressOf(c));
        if (signedIn.kind === 'later') {
          const notice = `Too many attempts. Try again in ${signedIn.retryAfterS} s.`;
          return askToSignIn(c, judged, { notice, name, status: 429, retryAfterS: signedIn.retryAfterS });
        }
        // A user of another fleet gets the same answer as an unknown one, so that the client's fleet is not disclosed.
        if (signedIn.kind === 'wrong' || signedIn.user.fleetId !== judged.client.fleetId)
          return askToSignIn(c, judged, { notice: 'Name or password is wrong.', name, status: 400 });
        await sessions.end(held);
        setCookie(c, cookie.name, await sessions.begin(signedIn.user), cookie.options);
        return c.redirect(actionOf(c, 'prompt'), 303);
      }
      case 'sign-out':
        await sessions.end(held);
        setCookie(c, cookie.name, '', { ...cookie.options, maxAge: 0 });
        return c.redirect(actionOf(c), 303);
      case 'consent': {
        const decision = form.get('decision');
        if (decision !== 'allow' && decision !== 'deny') return refused(c, 'The form contains no decision.');
        if (person === undefined || person.user.fleetId !== judged.client.fleetId)
          return c.redirect(actionOf(c), 303);
        const end = await handleAuthorization(authorizing, queryOf(c), { kind: decision, by: person });
        return end.kind === 'led-back'
          ? c.redirect(end.location, 303)
          : refused(c, 'The request has changed in the meantime.');
      }
      default:
        return refused(c, 'The form does not say what to do.');
    }
  });
}

/** Answers with the pages of the endpoint. `secretOf` is the secret in the caller's session cookie. */
function makePages(
  world: Issuer['world'],
  sessions: ReturnType<typeof makeSessions>,
  cookie: ReturnType<typeof cookieOf>,
) {
  const style = Buffer.from(world.crypto.digest(STYLE), 'hex').toString('base64');
  const show = (c: AppContext, html: string, status: PageStatus, leadsTo?: string, headers = {}) =>
    c.html(html, status, { ...pageHeaders(style, leadsTo), ...headers });
  const refused = (c: AppContext, reason: string) =>
    show(c, noticePage('This request cannot be answered', reason), 400);
  /** The cookie's secret; a new one if the browser has none. */
  const secretOf = (c: AppContext): string => {
    const held = getCookie(c, cookie.name);
    if (held !== undefined && held !== '') return held;
    const secret = sessions.newSecret();
    setCookie(c, cookie.name, secret, cookie.options);
    return secret;
  };
  const askToSignIn = (
    c: AppContext,
    right: Right,
    again: {
      readonly notice?: string;
      readonly name?: string;
      readonly status?: PageStatus;
      readonly retryAfterS?: number;
    } = {},
  ) => {
    const html = signInPage({
      action: actionOf(c),
      formToken: sessions.formToken(secretOf(c)),
      clientId: right.client.id,
      name: again.name ?? '',
      notice: again.notice,
    });
    const headers = again.retryAfterS === undefined ? {} : { 'Retry-After': String(again.retryAfterS) };
    return show(c, html, again.status ?? 200, formTarget(right.redirectUri), headers);
  };
  return { show, refused, secretOf, askToSignIn };
}

type PageStatus = 200 | 400 | 403 | 429;

function queryOf(c: AppContext): URLSearchParams {
  return new URL(c.req.url).searchParams;
}

/** The endpoint with the request's parameters, but for those in `without`. Never an address of another host. */
function actionOf(c: AppContext, ...without: readonly string[]): string {
  const query = queryOf(c);
  for (const name of without) query.delete(name);
  return `${AUTHORIZE_PATH}?${query}`;
}

/** `Lax`: the client redirects people here from its own site, and the browser must send their session cookie. */
function cookieOf(baseUrl: string) {
  const secure = baseUrl.startsWith('https:');
  return {
    name: secure ? '__Host-session' : 'session',
    options: {
      path: '/',
      httpOnly: true,
      secure,
      sameSite: 'Lax',
      maxAge: accessLimits.sessionLifeMs / 1000,
    },
  } as const;
}

const page = { 'text/html': { schema: z.string().describe('An HTML page.') } };
const pageHeadersDocumented = z.object({
  'Set-Cookie': z.string().optional().describe('The session of this browser.'),
});
const location = z.string().describe('Where the browser is redirected to.');
/** For the document; the library and backend/access/oauth/authorization-request.ts read them, whose errors go to the redirect URI. */
const parameters = [
  queryField('response_type', true),
  queryField('client_id', true),
  queryField('redirect_uri', true),
  queryField('code_challenge', true),
  queryField('code_challenge_method', true),
  queryField('scope', false),
  queryField('state', false),
  queryField('nonce', false),
  queryField('prompt', false),
];

const showRoute = createRoute({
  method: 'get',
  path: AUTHORIZE_PATH,
  tags: ['Authentication'],
  summary: 'Asks a person to sign in and to allow a client to act for them.',
  description:
    'For browsers, with PKCE (S256). Errors in the client or the redirect URI are shown on a page; all others are returned to the client by redirect.',
  parameters,
  responses: {
    200: { description: 'The sign-in or the consent page.', content: page, headers: pageHeadersDocumented },
    302: {
      description: 'An error, returned to the client by redirect (RFC 6749 section 4.1.2.1).',
      headers: z.object({ Location: location }),
    },
    400: { description: 'The client or the redirect URI is wrong.', content: page },
  },
});

const decideRoute = createRoute({
  method: 'post',
  path: AUTHORIZE_PATH,
  tags: ['Authentication'],
  summary: 'Accepts the form of the sign-in or the consent page.',
  description:
    'For browsers, not for programs. There is no 2xx answer: a valid form is answered with 303, to the ' +
    'next page or back to the client.',
  parameters,
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: formFields('The form of the sign-in or the consent page.', [
          'form_token',
          'deed',
          'name',
          'password',
          'decision',
        ]),
      },
    },
  },
  responses: {
    303: {
      description: 'On to the next page, or back to the client with a code or an error.',
      headers: pageHeadersDocumented.extend({ Location: location }),
    },
    400: {
      description: 'The client, redirect URI, name or password is wrong.',
      content: page,
      headers: pageHeadersDocumented,
    },
    403: { description: 'The form was not issued to this browser.', content: page },
    429: {
      description: 'Too many sign-ins.',
      content: page,
      headers: z.object({ 'Retry-After': z.string().describe('Seconds to wait.') }),
    },
  },
});
