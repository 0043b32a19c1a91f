/** Why something is unavailable, for people. */
export class AskFailed extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/**
 * Requests JSON from the console's server. After a restart of the server it first starts a new session, so that nothing
 * on the page is lost. Rejects with `AskFailed`.
 */
export async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  return (await answerOf(path, body)).json() as Promise<Answer>;
}

/** The same, as the raw response. */
export async function answerOf(path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const aborting = signal === undefined ? {} : { signal };
  const request = (): Promise<Response> =>
    fetch(path, {
      ...aborting,
      ...(body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-boxtwin-console': '1' },
            body: JSON.stringify(body),
          }),
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      throw new AskFailed(0, 'The console does not answer: has it ended?');
    });
  let answer = await request();
  if (answer.status === 401) {
    await fetch('/', aborting);
    answer = await request();
  }
  if (answer.ok) return answer;
  const text = await answer.text();
  throw new AskFailed(answer.status, detailOf(text) ?? `The console answers ${answer.status}.`);
}

function detailOf(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : undefined;
  } catch {
    return undefined;
  }
}
