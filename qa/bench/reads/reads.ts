import { connect } from 'node:net';
import { endChild, forkProgram, messageOf } from '../measure/children.ts';
import type { Figure } from '../measure/figures.ts';
import { readyVehicles, type ServiceTarget, startService } from '../measure/service-target.ts';

/**
 * Requests a second that are answered, to several connections of which each asks again once it has its answer: the
 * service beside bare Hono that answers with the same bytes. The client writes to sockets itself, so that it is not
 * what is measured. The service has a fleet of boxes beside it in its process.
 */
const load = { vehicles: 120, connections: 16, warmUpMs: 1_000, measureMs: 4_000 } as const;

/** A page of a hundred vehicles. */
export const readPage = (rounds: number) =>
  reads(rounds, 'GET /vehicles?limit=100', () => '/vehicles?limit=100');
/** The state of one vehicle, not always the same. */
export const readOne = (rounds: number) =>
  reads(rounds, 'GET one vehicle with its state', (id) => `/vehicles/${id}`);

async function reads(count: number, name: string, pathOf: (id: string) => string): Promise<Figure> {
  const service = await startService(load.vehicles);
  try {
    const ids = await readyVehicles(service.baseUrl, service.headers);
    const paths = [...new Set(ids.map(pathOf))];
    const bare = await startBare(service, paths[0] ?? '/');
    try {
      const rounds: { bare: number; ours: number }[] = [];
      for (let round = 0; round < count; round += 1)
        rounds.push({
          bare: await perSecond(bare.url, paths, service.headers),
          ours: await perSecond(service.baseUrl, paths, service.headers),
        });
      const bytes = bare.bytes.toLocaleString('en-US');
      return {
        name: `${name}, ${bytes} bytes, ${load.connections} connections`,
        unit: 'answers/s',
        rounds,
        aim: 0.5,
      };
    } finally {
      await bare.end();
    }
  } finally {
    await service.end();
  }
}

/** Bare Hono with the bytes that the service answers with now. */
async function startBare({ baseUrl, headers }: ServiceTarget, path: string) {
  const answer = await fetch(`${baseUrl}${path}`, { headers });
  if (!answer.ok) throw new Error(`GET ${path} was answered with ${answer.status}.`);
  const body = await answer.text();
  const contentType = answer.headers.get('content-type') ?? 'application/json';
  const child = forkProgram(new URL('./reads-bare.ts', import.meta.url), { body, contentType });
  const { port } = await messageOf<{ readonly port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: Buffer.byteLength(body),
    end: () => endChild(child),
  };
}

async function perSecond(
  baseUrl: string,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const { hostname, port, host } = new URL(baseUrl);
  const requests = paths.map((path) =>
    [
      `GET ${path} HTTP/1.1`,
      `host: ${host}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ]
      .join('\r\n')
      .concat('\r\n\r\n'),
  );
  const endMs = performance.now() + load.warmUpMs + load.measureMs;
  const fromMs = endMs - load.measureMs;
  const counts = await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      asked({ hostname, port: Number(port), requests, first: index, fromMs, endMs }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0) / (load.measureMs / 1_000);
}

/** One connection. Resolves with how many answers came between the two moments. Rejects for any but 200. */
function asked(how: {
  readonly hostname: string;
  readonly port: number;
  readonly requests: readonly string[];
  readonly first: number;
  readonly fromMs: number;
  readonly endMs: number;
}): Promise<number> {
  const { requests, fromMs, endMs } = how;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: how.hostname, port: how.port, noDelay: true });
    let next = how.first;
    let count = 0;
    let got = Buffer.alloc(0);
    const ask = () => {
      socket.write(requests[next % requests.length] ?? '');
      next += 1;
    };
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(reason));
    };
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The server has closed a connection.')));
    socket.on('data', (chunk) => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const headEnd = got.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = got.toString('latin1', 0, headEnd);
      if (!head.startsWith('HTTP/1.1 200')) return fail(`The answer was ${head.split('\r\n')[0]}.`);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) return fail('The answer does not tell its length.');
      if (got.length < headEnd + 4 + Number(length)) return;
      got = Buffer.alloc(0);
      const nowMs = performance.now();
      if (nowMs >= fromMs && nowMs < endMs) count += 1;
      if (nowMs < endMs) ask();
      else {
        resolve(count);
        socket.destroy();
      }
    });
  });
}
