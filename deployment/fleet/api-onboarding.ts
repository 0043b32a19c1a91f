import { z } from 'zod';
import type { BoxPlan } from '../../simulator/box-plan.ts';
import { errorText } from '../../world/error-text.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';

/** The API of a service, and the client that calls it. */
export interface OnboardingApi {
  /** Without a trailing slash. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const tokenBody = z.looseObject({ access_token: z.string() });
const created = z.looseObject({ id: z.string() });
const page = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.string(),
      telematics_unit: z.looseObject({ id: z.string() }).nullish(),
    }),
  ),
  next_page_token: z.string().nullish(),
});

/**
 * Ensures that each box has a vehicle at a service, over its public API: existing ones stay, the others are onboarded
 * with `POST /vehicles`. Resolves with vehicle ids by box ids. Waits where the service answers 429; rejects with a
 * `CommandError` where it refuses otherwise or is unreachable. `progress` gets the number of boxes that are done.
 */
export async function onboardByApi(parts: {
  readonly api: OnboardingApi;
  readonly boxes: readonly Pick<BoxPlan, 'boxId' | 'model' | 'vin' | 'licensePlate'>[];
  readonly time: Time;
  readonly fetch: (request: Request) => Promise<Response>;
  progress(done: number, of: number): void;
}): Promise<ReadonlyMap<string, string>> {
  const { boxes, progress } = parts;
  const caller = new ApiCaller(parts);
  const vehicles = new Map<string, string>();
  let next: string | undefined = '';
  while (next !== undefined) {
    const listed: z.infer<typeof page> = page.parse(
      await caller.call('GET', `/vehicles?limit=1000${next === '' ? '' : `&page_token=${next}`}`, 200),
    );
    for (const { id, telematics_unit: unit } of listed.items) if (unit) vehicles.set(unit.id, id);
    next = listed.next_page_token ?? undefined;
  }
  const missing = boxes.filter(({ boxId }) => !vehicles.has(boxId));
  let done = boxes.length - missing.length;
  for (const { boxId, model, vin, licensePlate } of missing) {
    const body = {
      telematics_unit: { id: boxId },
      vehicle_model: model,
      master_data: { vin, license_plate: licensePlate },
    };
    vehicles.set(boxId, created.parse(await caller.call('POST', '/vehicles', 201, body)).id);
    done += 1;
    progress(done, boxes.length);
  }
  return vehicles;
}

/** Calls with a token, which is replaced when it is refused. */
class ApiCaller {
  readonly #api: OnboardingApi;
  readonly #time: Time;
  readonly #fetch: (request: Request) => Promise<Response>;
  #token: string | undefined;

  constructor(parts: {
    readonly api: OnboardingApi;
    readonly time: Time;
    readonly fetch: (request: Request) => Promise<Response>;
  }) {
    this.#api = parts.api;
    this.#time = parts.time;
    this.#fetch = parts.fetch;
  }

  /**
   * Waits after each 429 of the service. A token can expire during such a wait, so only a refusal of a token that was
   * requested after the last accepted one is final.
   */
  async call(method: string, path: string, expected: number, body?: object): Promise<unknown> {
    let isRenewed = false;
    for (;;) {
      this.#token ??= await this.#newToken();
      const answer = await this.#sendInTurn(path, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer === 'waited') isRenewed = false;
      else if (answer.status === expected) return await answer.json();
      else if (answer.status === 401 && !isRenewed) {
        this.#token = undefined;
        isRenewed = true;
      } else throw await refusal(method, path, answer);
    }
  }

  /** The answer; `waited`: the service answered 429, and the wait that it asked for is over. */
  async #sendInTurn(path: string, init: RequestInit): Promise<Response | 'waited'> {
    const answer = await this.#send(path, init);
    if (answer.status !== 429) return answer;
    await sleep(this.#time, this.#waitMs(answer));
    return 'waited';
  }

  #waitMs(answer: Response): number {
    const seconds = Number(answer.headers.get('retry-after'));
    return Math.min(Math.max(1, Number.isNaN(seconds) ? 1 : seconds), limits.onboardingWaitS) * 1_000;
  }

  async #newToken(): Promise<string> {
    const path = '/auth/oauth/token?grant_type=client_credentials';
    const { clientId, clientSecret } = this.#api;
    const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
    for (;;) {
      const answer = await this.#sendInTurn(path, { method: 'POST', headers });
      if (answer === 'waited') continue;
      if (answer.status !== 200) throw await refusal('POST', path, answer);
      return tokenBody.parse(await answer.json()).access_token;
    }
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(new Request(`${this.#api.url}${path}`, init));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = errorText(cause);
      throw new CommandError(`The API at ${this.#api.url} (--url) cannot be reached: ${why}.`);
    }
  }
}

async function refusal(method: string, path: string, answer: Response): Promise<CommandError> {
  const text = (await answer.text()).slice(0, limits.shownAnswerCharacters);
  return new CommandError(
    `The API (--url) refused ${method} ${path} with ${answer.status}: ${text} ` +
      'See that the client may change vehicles, and that the boxes are in its fleet\'s stock ("boxtwin backend --stock").',
  );
}
