import { z } from 'zod';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';
import { installationHeaders } from './installation.ts';

/** A service, and the client that calls it. */
export interface ServiceAccount {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** The installation that may answer; absent: any. */
  readonly installation?: string | undefined;
}

const token = z.looseObject({ access_token: z.string() });
const refusal = z.looseObject({ detail: z.string() });

/** An access token by the client credentials grant (RFC 6749 section 4.4). Rejects with a `CommandError`. */
export async function accessToken(service: ServiceAccount): Promise<string> {
  const answer = await sendToService(service, 'POST', '/auth/oauth/token', {
    authorization: `Basic ${btoa(`${encodeURIComponent(service.client_id)}:${encodeURIComponent(service.client_secret)}`)}`,
    contentType: 'application/x-www-form-urlencoded',
    body: 'grant_type=client_credentials',
  });
  return token.parse(await contentOf(answer, 'POST /auth/oauth/token')).access_token;
}

/** Calls the API with a new token. Resolves with the parsed body; rejects with a `CommandError` for any refusal. */
export async function callService(
  service: ServiceAccount,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await sendToService(service, method, path, {
    authorization: `Bearer ${await accessToken(service)}`,
    ...(body === undefined ? {} : { contentType: 'application/json', body: JSON.stringify(body) }),
  });
  return contentOf(answer, `${method} ${path}`);
}

/** A request to the API. */
export interface ServiceRequest {
  /** The header. */
  readonly authorization: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Absent: 10 s. A command of a vehicle takes longer where the vehicle does not answer. */
  readonly withinMs?: number;
}

/** One request to the API, whatever its answer. Rejects with a `CommandError` where nothing answers. */
export async function sendToService(
  { base_url: baseUrl, installation }: Pick<ServiceAccount, 'base_url' | 'installation'>,
  method: string,
  path: string,
  { authorization, contentType, body, withinMs = limits.serviceCallMs }: ServiceRequest,
): Promise<Response> {
  try {
    return await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...installationHeaders(installation),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(withinMs),
    });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new CommandError(
      `The service does not answer at ${baseUrl} (${cause}). Is "boxtwin up" still running?`,
    );
  }
}

async function contentOf(answer: Response, request: string): Promise<unknown> {
  const text = await answer.text();
  if (answer.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
  const problem = refusal.safeParse(text.startsWith('{') ? JSON.parse(text) : undefined);
  throw new CommandError(
    `${request} was answered with ${answer.status}: ${problem.success ? problem.data.detail : 'no reason is given.'}`,
    1,
  );
}
