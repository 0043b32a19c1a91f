/** Carries out calls together; the outcomes are in the order of the calls. May reject: then all calls fail. */
export type CarryOut<Call, Outcome> = (calls: readonly Call[]) => Promise<readonly Outcome[]>;

/** When groups begin. */
export interface GroupPace {
  /** Calls `begin` once what happens at the same moment has added its calls. */
  soon(begin: () => void): void;
  /**
   * Calls `begin` after the time that a patient call waits for company, unless it is cancelled before. Absent: no call is
   * patient.
   */
  later?(begin: () => void): () => void;
}

/** A call begins immediately where nothing is under way. */
const AT_ONCE: GroupPace = { soon: (begin) => begin() };

interface WaitingCall<Call, Outcome> {
  readonly call: Call;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: a call that comes while nothing is under way begins as soon as `pace` says; all that come meanwhile
 * share the next group. The size of the groups follows the load. Only a patient call waits for a timer, and only where no
 * other call begins a group before. Calls are carried out in the order in which they came, patient or not, and each is
 * answered only after its own group.
 */
export class GroupCommit<Call, Outcome> {
  readonly #carryOut: CarryOut<Call, Outcome>;
  readonly #most: number;
  readonly #pace: GroupPace;
  #waiting: WaitingCall<Call, Outcome>[] = [];
  /** How many of those that wait have to be carried out now: up to the last one that is not patient. */
  #due = 0;
  /** A group will begin soon, and takes what is due by then. */
  #isSoon = false;
  /** Set while nothing but patient calls waits. */
  #cancelLater: (() => void) | undefined;
  #underWay: Promise<void> | undefined;
  #groups = 0;
  #calls = 0;

  /** `most`: the calls of one group; more wait for the one after. */
  constructor(carryOut: CarryOut<Call, Outcome>, most: number, pace: GroupPace = AT_ONCE) {
    this.#carryOut = carryOut;
    this.#most = most;
    this.#pace = pace;
  }

  /** How many calls wait for a group to begin. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many groups and calls have begun so far. */
  get begun(): { readonly groups: number; readonly calls: number } {
    return { groups: this.#groups, calls: this.#calls };
  }

  /**
   * Resolves with the outcome of the call; rejects if its whole group failed. A patient call begins no group for a while:
   * it waits for one that another call begins, or that is under way.
   */
  add(call: Call, isPatient = false): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (isPatient && this.#pace.later !== undefined) this.#waitForCompany();
      else this.#allAreDue();
    });
  }

  /** Resolves when no call waits and none is under way. Patient calls begin at once. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay !== undefined) {
      this.#allAreDue();
      this.#begin();
      await this.#underWay;
    }
  }

  #allAreDue(): void {
    this.#due = this.#waiting.length;
    this.#cancelLater?.();
    this.#cancelLater = undefined;
    this.#beginSoon();
  }

  #beginSoon(): void {
    if (this.#due === 0 || this.#underWay !== undefined || this.#isSoon) return;
    this.#isSoon = true;
    this.#pace.soon(() => this.#begin());
  }

  /** Patient calls wait from now on; those behind a call that is due are due soon anyway. */
  #waitForCompany(): void {
    if (this.#due > 0 || this.#cancelLater !== undefined) return;
    this.#cancelLater = this.#pace.later?.(() => this.#allAreDue());
  }

  #begin(): void {
    this.#isSoon = false;
    if (this.#due > 0) this.#underWay ??= this.#carryOutGroup();
  }

  /** What has been added by now is in the group, also patient calls, within the bound. */
  async #carryOutGroup(): Promise<void> {
    const group = this.#waiting.splice(0, this.#most);
    this.#due = Math.max(0, this.#due - group.length);
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
    this.#underWay = undefined;
    this.#beginSoon();
    if (this.#waiting.length > 0) this.#waitForCompany();
  }
}
