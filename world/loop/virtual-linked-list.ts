/** A member of at most one list at a time; the list stores the neighbours here. */
export interface ListMember<Self> {
  before: Self | undefined;
  after: Self | undefined;
}

/**
 * Members in the order of insertion; each can be removed in constant time. A Set that is filled and emptied
 * for each packet allocates a new table every few of them, which lives much longer than the packets.
 */
export class LinkedList<Member extends ListMember<Member>> implements Iterable<Member> {
  #first: Member | undefined;
  #last: Member | undefined;

  /** Adds a member that is in no list. */
  add(member: Member): void {
    const last = this.#last;
    member.before = last;
    if (last === undefined) this.#first = member;
    else last.after = member;
    this.#last = member;
  }

  /** Removes a member of this list. */
  remove(member: Member): void {
    const { before, after } = member;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    member.before = undefined;
    member.after = undefined;
  }

  /** Removes all members; they must not be removed one by one afterwards. */
  clear(): void {
    this.#first = undefined;
    this.#last = undefined;
  }

  *[Symbol.iterator](): Generator<Member> {
    for (let member = this.#first; member !== undefined; member = member.after) yield member;
  }
}
