import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

/**
 * Serves the dashboard: `node serve.js`. The service has to allow its origin (`up --cors-origin http://127.0.0.1:3000`)
 * and to know it as a client that people sign in for.
 *
 *     API          the service (http://127.0.0.1:8080)
 *     PORT         of the page (3000)
 *     PAGE_CLIENT  a public client whose redirect URI is the page; without it one is made at SIMULATOR
 *     SIMULATOR    http://127.0.0.1:8090; a real service has an operator in its place
 */
const {
  API = 'http://127.0.0.1:8080',
  SIMULATOR = 'http://127.0.0.1:8090',
  PORT = '3000',
  PAGE_CLIENT,
} = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const settings = JSON.stringify({ api: API, client_id: PAGE_CLIENT ?? (await newClient()) });
const page = readFileSync(new URL('index.html', import.meta.url));

createServer(({ url }, response) => {
  const isSettings = url === '/settings.json';
  const isPage = url === '/' || url?.startsWith('/?') === true;
  const type = isSettings ? 'application/json' : 'text/html; charset=utf-8';
  response.writeHead(isSettings || isPage ? 200 : 404, {
    'content-type': type,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  response.end(isSettings ? settings : isPage ? page : '');
}).listen(Number(PORT), '127.0.0.1', () => console.log(`${origin}/`));

async function newClient() {
  const body = JSON.stringify({
    public: true,
    redirect_uris: [`${origin}/`],
    permissions: ['vehicles.ro', 'vehicle-commands'],
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${SIMULATOR}/service/clients`, { method: 'POST', headers, body }).catch(() => {
    console.error(
      `Nobody answers at ${SIMULATOR}: start "npx boxtwin up", or name SIMULATOR, or give PAGE_CLIENT.`,
    );
    process.exit(1);
  });
  const made = await answer.json();
  if (answer.status === 201) return made.client_id;
  console.error(`No client could be made: ${made.detail}`);
  return process.exit(1);
}
