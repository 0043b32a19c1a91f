/** What may lie in one ring at a time; the ring writes its neighbours here. */
export interface RingMember<Self> {
  before: Self | undefined;
  after: Self | undefined;
}

/**
 * Members in the order in which they came, each taken out wherever it stands. A Set that is filled and emptied for each
 * packet makes a new table every few of them, which outlives the packets by far.
 */
export class Ring<Member extends RingMember<Member>> implements Iterable<Member> {
  #first: Member | undefined;
  #last: Member | undefined;

  /** Adds a member that lies in no ring. */
  add(member: Member): void {
    const last = this.#last;
    member.before = last;
    if (last === undefined) this.#first = member;
    else last.after = member;
    this.#last = member;
  }

  /** Takes out a member of this ring. */
  remove(member: Member): void {
    const { before, after } = member;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    member.before = undefined;
    member.after = undefined;
  }

  /** Forgets all of them; they must not be taken out one by one any more. */
  clear(): void {
    this.#first = undefined;
    this.#last = undefined;
  }

  *[Symbol.iterator](): Generator<Member> {
    for (let member = this.#first; member !== undefined; member = member.after) yield member;
  }
}
