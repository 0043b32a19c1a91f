/** Carries out calls together; the outcomes are in the order of the calls. May reject: then all calls fail. */
export type CarryOut<Call, Outcome> = (calls: readonly Call[]) => Promise<readonly Outcome[]>;

interface WaitingCall<Call, Outcome> {
  readonly call: Call;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: a call that comes while nothing is under way begins immediately; all that come meanwhile share
 * the next group. The size of the groups follows the load, and no call waits for a timer. Calls are carried
 * out in the order in which they came, and each is answered only after its own group.
 */
export class GroupCommit<Call, Outcome> {
  readonly #carryOut: CarryOut<Call, Outcome>;
  readonly #most: number;
  #waiting: WaitingCall<Call, Outcome>[] = [];
  /** The groups that are under way, one after the other; undefined: none. */
  #underWay: Promise<void> | undefined;
  #groups = 0;
  #calls = 0;

  /** `most`: the calls of one group; more wait for the one after. */
  constructor(carryOut: CarryOut<Call, Outcome>, most: number) {
    this.#carryOut = carryOut;
    this.#most = most;
  }

  /** How many calls wait for a group to begin. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many groups and calls have begun so far. */
  get begun(): { readonly groups: number; readonly calls: number } {
    return { groups: this.#groups, calls: this.#calls };
  }

  /** Resolves with the outcome of the call; rejects if its whole group failed. */
  add(call: Call): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      this.#underWay ??= this.#carryOutWaiting();
    });
  }

  /** Resolves when no call waits and none is under way. */
  async idle(): Promise<void> {
    await this.#underWay;
  }

  async #carryOutWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#most);
      this.#groups += 1;
      this.#calls += group.length;
      try {
        const outcomes = await this.#carryOut(group.map(({ call }) => call));
        for (const [index, { resolve, reject }] of group.entries()) {
          if (index < outcomes.length) resolve(outcomes[index] as Outcome);
          else reject(new Error('The group has fewer outcomes than calls.'));
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#underWay = undefined;
  }
}
