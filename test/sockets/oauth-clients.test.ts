import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientTableOf } from '../support/docs/client-table.ts';
import { signIn } from '../support/http/sign-in-service.ts';
import { clientLibrary, withService } from '../support/run/external-services.ts';
import { type SignInServer, startSignInServer } from '../support/sockets/sign-in-server.ts';

type Command = readonly [string, ...string[]];

interface Client {
  readonly name: string;
  /** The package of Debian 12, or of npm. */
  readonly from: string;
  /** The program of test/clients/oauth/, behind what runs it. */
  readonly run: Command;
  readonly program: string;
  /** Succeeds where the library is installed. */
  readonly check: Command;
}

/** Debian's: another that is first on the path does not see Debian's libraries. */
const PYTHON = '/usr/bin/python3';
const JARS = [
  ...['google-oauth-client', 'google-http-client', 'google-http-client-gson', 'gson', 'guava'],
  ...['opencensus-api', 'opencensus-contrib-http-util', 'grpc-context'],
].map((name) => `/usr/share/java/${name}.jar`);

const CLIENTS: readonly Client[] = [
  {
    name: 'requests-oauthlib',
    from: 'python3-requests-oauthlib',
    run: [PYTHON],
    program: 'requests-oauthlib.py',
    check: [PYTHON, '-c', 'import requests_oauthlib'],
  },
  {
    name: 'Authlib',
    from: 'python3-authlib',
    run: [PYTHON],
    program: 'authlib.py',
    check: [PYTHON, '-c', 'import authlib'],
  },
  {
    name: 'google-oauth-client',
    from: 'libgoogle-oauth-client-java',
    run: ['java', '-cp', JARS.join(':')],
    program: 'GoogleOAuth.java',
    check: ['bash', '-c', `command -v javac && ls ${JARS.join(' ')}`],
  },
  {
    name: 'oauth4webapi',
    from: 'npm',
    run: [process.execPath],
    program: 'oauth4webapi.mjs',
    check: [process.execPath, '--version'],
  },
];

const FOLDER = fileURLToPath(new URL('../clients/oauth/', import.meta.url));
const REDIRECT = 'http://127.0.0.1:53682/callback';

let sockets: SignInServer;
beforeAll(async () => {
  sockets = await startSignInServer();
});
afterAll(() => sockets.close());

/** What the person's browser is led back to after sign-in and consent. */
async function allow(address: string): Promise<string> {
  const browser = sockets.browser();
  const consent = await signIn(browser, await browser.open(new URL(address)));
  return (await browser.submit(consent, 'consent', { decision: 'allow' })).at.href;
}

/** The lines that the program prints; for each `open` line a person allows what it asks for. */
async function linesOf({ run: [command, ...options], program }: Client): Promise<readonly string[]> {
  const child = spawn(command, [
    ...options,
    FOLDER + program,
    sockets.baseUrl,
    'app',
    'secret-of-app',
    REDIRECT,
  ]);
  const lines: string[] = [];
  child.stderr.on('data', (text: Buffer) => lines.push(`stderr: ${text}`));
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('open ')) child.stdin.write(`${await allow(line.slice('open '.length))}\n`);
    else lines.push(line);
  }
  await ended;
  return lines;
}

for (const client of CLIENTS)
  await withService(clientLibrary(client.name, client.check), () => {
    describe(client.name, () => {
      test('fetches tokens for itself and for a person who signs in, refreshes them, and calls the API', async () => {
        expect(await linesOf(client)).toEqual([
          'machine VEHICLES_RO',
          'person openid VEHICLES_RO',
          'refreshed openid VEHICLES_RO',
          'vehicles 200',
        ]);
      });
    });
  });

test('docs/api.md lists these clients, and openid-client, which has a test of its own', () => {
  expect(clientTableOf('api.md')).toEqual([
    ...CLIENTS.map(({ name, from }) => [name, from]),
    ['openid-client', 'npm'],
  ]);
});
