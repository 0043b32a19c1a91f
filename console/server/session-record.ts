import { jsonObject } from '../../world/json.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { DoneByHand, MetVehicle } from './session-scenario.ts';

const COMMAND_PATH = /^\/vehicles\/([^/]+)\/(?:commands|box-commands|box-connectivity-commands)\/([a-z-]+)$/;

/** The actions from the console since it started, for a scenario that repeats them. */
export class SessionRecord {
  readonly #time: Time;
  readonly #control: (path: string) => Promise<unknown>;
  readonly #done: DoneByHand[] = [];
  readonly #met = new Map<string, MetVehicle>();

  constructor(time: Time, control: (path: string) => Promise<unknown>) {
    this.#time = time;
    this.#control = control;
  }

  get done(): readonly DoneByHand[] {
    return this.#done;
  }

  get met(): readonly MetVehicle[] {
    return [...this.#met.values()];
  }

  /** An act on a box is about to happen; call the result once it has happened. */
  beforeAct(id: string, name: string, body: unknown): Promise<() => void> {
    return this.#before(id, { name, body: jsonObject(body) });
  }

  /** The same for a call. Only commands are kept. */
  async beforeCall(method: string, path: string): Promise<() => void> {
    const [, id, command] = COMMAND_PATH.exec(path) ?? [];
    if (method !== 'POST' || id === undefined || command === undefined) return () => undefined;
    return this.#before(idOfPath(id), { command });
  }

  /**
   * A fault is about to be applied, to these boxes or (undefined) to all; call the result with the id that the fault
   * gets.
   */
  async beforeFault(
    on: readonly string[] | undefined,
    { for: long, ...fault }: Readonly<Record<string, unknown>>,
  ): Promise<(id: string) => void> {
    const atMs = this.#time.nowMs();
    const found = await Promise.all((on ?? []).map((id) => this.meet(id)));
    const whom = on === undefined ? [''] : found.filter((id) => id !== undefined);
    return (id) => {
      const step = { ...fault, ...(long === undefined ? {} : { for: long }) };
      for (const to of whom) this.#keep({ atMs, to, act: { step, id } });
    };
  }

  /** The weather of the whole fleet has changed: the language has no word for it, so the scenario has a comment. */
  fleetWeather(body: unknown): void {
    this.#keep({
      atMs: this.#time.nowMs(),
      to: 'all',
      act: { name: 'weather of the fleet', body: jsonObject(body) },
    });
  }

  faultRemoved(id: string): void {
    this.#keep({ atMs: this.#time.nowMs(), to: '', act: { removed: id } });
  }

  #keep(done: DoneByHand): void {
    this.#done.push(done);
    if (this.#done.length > limits.sessionActs) this.#done.shift();
  }

  /**
   * Records a vehicle that something is about to happen to; resolves with its id, undefined where it does not exist.
   */
  async meet(id: string): Promise<string | undefined> {
    // Where this request fails, the act fails too, and reports why.
    const described = await this.#control(`/boxes/${encodeURIComponent(id)}`).catch(() => undefined);
    if (described === undefined) return undefined;
    const { boxId, vehicleId, model, firmware, truth } = jsonObject(described);
    const own = String(vehicleId ?? boxId);
    const { ignitionOn, route } = jsonObject(truth);
    if (!this.#met.has(own) && this.#met.size < limits.sessionActs)
      this.#met.set(own, {
        id: own,
        model: String(model),
        firmware: String(firmware),
        route: String(route ?? ''),
        isDriving: ignitionOn === true,
      });
    return own;
  }

  async #before(id: string, act: DoneByHand['act']): Promise<() => void> {
    const atMs = this.#time.nowMs();
    const to = await this.meet(id);
    if (to === undefined) return () => undefined;
    return () => this.#keep({ atMs, act, to });
  }
}

/** The id in a segment of a path. A malformed `%` (RFC 3986 §2.1) stays as it is: the service refuses the call. */
function idOfPath(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
