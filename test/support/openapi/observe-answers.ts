import type { App } from '../../../backend/http/app.ts';
import type { AnswerValidator, DocumentNode } from '../../../judge/certify/answer-validator.ts';

/** One validator per process: all applications have the same operations. */
let known: Promise<AnswerValidator> | undefined;
const pending = new Set<Promise<void>>();
const findings: string[] = [];

/** The fetch of this process, before it is wrapped. */
const plainFetch = globalThis.fetch;

/**
 * Checks each answer of an application; `takeAnswerFindings` returns the findings. `describe` makes its
 * validator.
 */
export function observeApp(app: App, describe: (app: App) => AnswerValidator): App {
  const { fetch } = app;
  app.fetch = (request, ...rest) => {
    const answered = fetch(request, ...rest);
    const look = (response: Response): Response => {
      note(request, response, () => {
        known ??= Promise.resolve(describe(app));
        return known;
      });
      return response;
    };
    return answered instanceof Promise ? answered.then(look) : look(answered);
  };
  return app;
}

/** Checks each answer of the service that this process fetches over a socket. */
export function observeFetch(): void {
  globalThis.fetch = async (input, init) => {
    const response = await plainFetch(input, init);
    if (response.headers.has('x-service-flow-id')) {
      const request = { url: response.url, method: methodOf(input, init) };
      note(request, response, () => {
        known ??= fetchedValidator(new URL(response.url).origin);
        return known;
      });
    }
    return response;
  };
}

function methodOf(input: string | URL | Request, init: RequestInit | undefined): string {
  return (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
}

async function fetchedValidator(origin: string): Promise<AnswerValidator> {
  const { AnswerValidator: Validator } = await import('../../../judge/certify/answer-validator.ts');
  const response = await plainFetch(`${origin}/openapi.json`);
  return new Validator((await response.json()) as DocumentNode);
}

/** The clone is made at once, before the answer is read. */
function note(
  request: { readonly url: string; readonly method: string },
  response: Response,
  validator: () => Promise<AnswerValidator>,
): void {
  const { pathname: path } = new URL(request.url);
  const { status } = response;
  const copy = response.clone();
  const looking = (async () => {
    const body = await copy.text();
    const { method } = request;
    const exchange = { method, path, status, headers: copy.headers, body };
    for (const finding of (await validator()).findings(exchange))
      findings.push(`${method} ${path} answered ${status}. ${finding}`);
  })()
    // A connection that was cut off has no answer to check.
    .catch((error: unknown) => {
      if (!(error instanceof TypeError)) findings.push(String(error));
    })
    .finally(() => pending.delete(looking));
  pending.add(looking);
}

/** The findings since the last call; each once. */
export async function takeAnswerFindings(): Promise<readonly string[]> {
  await Promise.all(pending);
  return [...new Set(findings.splice(0))];
}
