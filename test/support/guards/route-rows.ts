import type { Hono } from 'hono';

/** What is expected of one route: a valid request, and what it brings about. */
export interface RouteRow {
  /** The path with ids that exist. */
  readonly at: string;
  /** The status of a valid request. */
  readonly status: number;
  /** What a valid request brings about, as `ApiStage.effects` has it; absent: nothing. */
  readonly reaches?: RegExp;
  /** The JSON of a valid request; absent: it takes none. */
  readonly body?: unknown;
  /** The largest body; absent: it takes none. */
  readonly mostBytes?: number;
  /** Further headers of a valid request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It needs what the API requires of its own clients, such as a session; absent: it does. */
  readonly isOpen?: boolean;
  /** How many parts of a stream are read: it does nothing before. */
  readonly reads?: number;
}

/** By method and path, as the routing table has them: `GET /boxes/:id`. */
export type RouteRows = Readonly<Record<string, RouteRow>>;

/** The methods that requests are tried with; the platform's Request refuses CONNECT and TRACE. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const;

/** Method and path of every route of an application. */
export function routesOf(app: Hono): ReadonlySet<string> {
  const names = app.routes.flatMap(({ method, path }) => (method === 'ALL' ? [] : [`${method} ${path}`]));
  return new Set(names);
}

/** The methods of every path of a table. */
export function methodsByPath(rows: RouteRows): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of Object.keys(rows)) {
    const [method = '', path = ''] = name.split(' ');
    found.set(path, [...(found.get(path) ?? []), method]);
  }
  return found;
}

/** A valid request of that row, but for these changes; an undefined header is left out. */
export function requestOf(
  name: string,
  row: RouteRow,
  change: {
    readonly origin: string;
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: RequestInit['body'];
  },
): Request {
  const method = change.method ?? name.split(' ')[0] ?? 'GET';
  const hasBody = row.body !== undefined && method !== 'GET' && method !== 'HEAD';
  const json = hasBody ? { 'content-type': 'application/json' } : {};
  const given = { ...json, ...row.headers, ...change.headers };
  const headers = Object.entries(given).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, value]],
  );
  const body = change.body ?? JSON.stringify(row.body);
  const sent = hasBody ? ({ body, duplex: 'half' } as const) : {};
  return new Request(`${change.origin}${change.path ?? row.at}`, { method, headers, ...sent });
}

/** An application of a test, and what it has brought about so far. */
export interface ApiStage {
  readonly app: { fetch(request: Request): Response | Promise<Response> };
  /** As its own clients know it: `http://127.0.0.1:8100`. */
  readonly origin: string;
  /** The headers that its own clients send. */
  readonly own: Readonly<Record<string, string>>;
  /** The headers that no answer lacks, and their values. */
  readonly promised: Readonly<Record<string, RegExp>>;
  /** Everything that requests have changed, or have asked of the parts behind. */
  effects(): Promise<string>;
}
