import type { AnsweredCall } from '../run/evidence.ts';
import { BULK } from '../run/request.ts';
import type { Asked, Player } from '../run/theatre.ts';
import { parsed, type Reply } from './clients.ts';
import { limits } from './limits.ts';

type Kept = Omit<AnsweredCall, 'body' | 'problem' | 'detail'> & { readonly text: string };

/** A bulk job, as it was ordered. */
export interface OrderedJob {
  readonly id: string;
  readonly vehicleIds: readonly string[];
}

/** Every call with its answer; bodies as text, and read when somebody asks. */
export class CallBook {
  readonly #calls: Kept[] = [];
  readonly #jobs: OrderedJob[] = [];
  #bytes = 0;
  #count = 0;
  #dropped = 0;
  readonly #open = new Map<number, { readonly asked: Asked; readonly player: Player | undefined }>();

  /** Calls that found no room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The bulk jobs that were ordered. */
  get jobs(): readonly OrderedJob[] {
    return this.#jobs;
  }

  /** Calls that have not been answered. */
  get open(): readonly { readonly asked: Asked; readonly player: Player | undefined }[] {
    return [...this.#open.values()];
  }

  begin(asked: Asked, player: Player | undefined): number {
    this.#count += 1;
    this.#open.set(this.#count, { asked, player });
    return this.#count;
  }

  end(call: number, askedMs: number, { status, text, tookMs, headers, tokenEndsMs }: Reply): void {
    const begun = this.#open.get(call);
    if (!this.#open.delete(call) || begun === undefined) return;
    const job = jobOf(begun.asked, status, text);
    if (job !== undefined) this.#jobs.push(job);
    const hasRoom = this.#bytes + text.length <= limits.callsBytes && this.#calls.length < limits.calls;
    if (!hasRoom) {
      this.#dropped += 1;
      return;
    }
    this.#bytes += text.length;
    const { asked, player } = begun;
    const flowId = headers['x-service-flow-id'];
    this.#calls.push({
      call,
      ...(player === undefined ? {} : { player }),
      as: asked.as,
      method: asked.method,
      path: asked.path,
      askedMs,
      answeredMs: askedMs + tookMs,
      status,
      text,
      ...(flowId === undefined ? {} : { flowId }),
      ...(tokenEndsMs === undefined ? {} : { token: { endsMs: tokenEndsMs } }),
    });
  }

  answered(): readonly AnsweredCall[] {
    return this.#calls.map(({ text, ...call }) => {
      const body = parsed(text);
      const { type, detail } = (typeof body === 'object' && body !== null ? body : {}) as Readonly<
        Record<string, unknown>
      >;
      const isProblem = call.status >= 400;
      return {
        ...call,
        body,
        ...(isProblem && typeof type === 'string' ? { problem: type } : {}),
        ...(isProblem && typeof detail === 'string' ? { detail } : {}),
      };
    });
  }
}

function jobOf({ method, path, body }: Asked, status: number, text: string): OrderedJob | undefined {
  if (method !== 'POST' || path !== BULK || status !== 201) return undefined;
  const { id } = parsed(text) as { readonly id: string };
  const { items } = body as { readonly items: readonly { readonly id: string }[] };
  return { id, vehicleIds: items.map((item) => item.id) };
}
