import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import { record } from './comparison.ts';
import type { DoneByHand, MetVehicle } from './session-scenario.ts';

const COMMAND_PATH = /^\/vehicles\/([^/]+)\/(?:commands|box-commands|box-connectivity-commands)\/([a-z-]+)$/;

/** What was done from the console since it started, for a scenario that does it again. */
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

  /** An act is about to be done to a box; call what it resolves with once it is. */
  beforeAct(id: string, name: string, body: unknown): Promise<() => void> {
    return this.#before(id, { name, body: record(body) });
  }

  /** The same of a call; of one that is no command nothing is kept. */
  async beforeCall(method: string, path: string): Promise<() => void> {
    const [, id, command] = COMMAND_PATH.exec(path) ?? [];
    if (method !== 'POST' || id === undefined || command === undefined) return () => undefined;
    return this.#before(decodeURIComponent(id), { command });
  }

  /** Weather or a break is about to be laid, on these or (undefined) on all; call what it resolves with once it has its id. */
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

  /** The weather of the whole fleet was chosen: the language has no word for it, and the scenario says so. */
  fleetWeather(body: unknown): void {
    this.#keep({
      atMs: this.#time.nowMs(),
      to: 'all',
      act: { name: 'weather of the fleet', body: record(body) },
    });
  }

  /** That one is lifted. */
  lifted(id: string): void {
    this.#keep({ atMs: this.#time.nowMs(), to: '', act: { lifted: id } });
  }

  #keep(done: DoneByHand): void {
    this.#done.push(done);
    if (this.#done.length > limits.sessionActs) this.#done.shift();
  }

  /** Something is about to be done to this vehicle; resolves with its id, undefined where there is none. */
  async meet(id: string): Promise<string | undefined> {
    // What cannot be looked at cannot be done either: whoever does it says why.
    const described = await this.#control(`/boxes/${encodeURIComponent(id)}`).catch(() => undefined);
    if (described === undefined) return undefined;
    const { boxId, vehicleId, model, firmware, truth } = record(described);
    const own = String(vehicleId ?? boxId);
    const { ignitionOn, route } = record(truth);
    if (!this.#met.has(own) && this.#met.size < limits.sessionActs)
      this.#met.set(own, {
        ...{ id: own, model: String(model), firmware: String(firmware), route: String(route ?? '') },
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
