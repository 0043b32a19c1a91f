import { BULK_PATH } from '../../../../contract/operation.ts';
import type { AnsweredCall, CardState, JobEvidence } from '../../../../judge/evidence/evidence.ts';
import type { SimulatedVehicle } from '../../../../judge/evidence/simulated-vehicle.ts';
import type { ApiRequest } from '../../../language/steps/request.ts';
import { testbedLimits } from '../../../limits.ts';
import { type ClientAnswer, parsed } from '../api-clients.ts';

type RecordedCall = Omit<AnsweredCall, 'body' | 'problem' | 'detail'> & { readonly text: string };

/** A bulk job, as requested. */
export type OrderedJob = Pick<JobEvidence, 'id' | 'vehicleIds' | 'askedMs' | 'answeredMs' | 'features'>;

/** Every call with its answer. Bodies are kept as text and parsed on demand. */
export class CallRecording {
  readonly #calls: RecordedCall[] = [];
  readonly #jobs: OrderedJob[] = [];
  #bytes = 0;
  #count = 0;
  #dropped = 0;
  readonly #open = new Map<
    number,
    { readonly request: ApiRequest; readonly vehicle: SimulatedVehicle | undefined }
  >();

  /** Calls that were dropped because the recording was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The requested bulk jobs. */
  get jobs(): readonly OrderedJob[] {
    return this.#jobs;
  }

  /** Calls without an answer yet. */
  get open(): readonly { readonly request: ApiRequest; readonly vehicle: SimulatedVehicle | undefined }[] {
    return [...this.#open.values()];
  }

  begin(request: ApiRequest, vehicle: SimulatedVehicle | undefined): number {
    this.#count += 1;
    this.#open.set(this.#count, { request, vehicle });
    return this.#count;
  }

  /** `card`: of the box, where the call was a command for it. */
  end(
    call: number,
    askedMs: number,
    { status, text, tookMs, headers, tokenEnd }: ClientAnswer,
    card?: CardState,
  ): void {
    const begun = this.#open.get(call);
    if (!this.#open.delete(call) || begun === undefined) return;
    const job = jobOf(begun.request, { askedMs, answeredMs: askedMs + tookMs }, status, text);
    if (job !== undefined) this.#jobs.push(job);
    const hasRoom =
      this.#bytes + text.length <= testbedLimits.callsBytes && this.#calls.length < testbedLimits.calls;
    if (!hasRoom) {
      this.#dropped += 1;
      return;
    }
    this.#bytes += text.length;
    const { request, vehicle } = begun;
    const flowId = headers['x-service-flow-id'];
    const retryAfter = headers['retry-after'];
    this.#calls.push({
      call,
      ...(vehicle === undefined ? {} : { vehicle }),
      as: request.as,
      method: request.method,
      path: request.path,
      askedMs,
      answeredMs: askedMs + tookMs,
      status,
      text,
      ...(isKept(request) ? { sent: request.body } : {}),
      ...(card === undefined ? {} : { card }),
      ...(flowId === undefined ? {} : { flowId }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(tokenEnd === undefined ? {} : { token: tokenEnd }),
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

/** Bulk jobs have their own record, since each has up to thousands of vehicles. */
function isKept({ body, path }: ApiRequest): boolean {
  return body !== undefined && path !== BULK_PATH;
}

function jobOf(
  { method, path, body }: ApiRequest,
  times: Pick<OrderedJob, 'askedMs' | 'answeredMs'>,
  status: number,
  text: string,
): OrderedJob | undefined {
  if (method !== 'POST' || path !== BULK_PATH || status !== 201) return undefined;
  const { id } = parsed(text) as { readonly id: string };
  const { items, feature_configuration: asked = {} } = body as {
    readonly items: readonly { readonly id: string }[];
    readonly feature_configuration?: JobEvidence['features'];
  };
  const features = Object.fromEntries(
    Object.entries(asked).map(([key, value]) => [key.replaceAll('_', '-'), value]),
  );
  return { id, ...times, features, vehicleIds: items.map((item) => item.id) };
}
