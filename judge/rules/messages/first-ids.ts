import { limits } from '../limits.ts';

/** The id under which each thing came first: whatever may have one id only. At most `limits.messages` are kept. */
export class FirstIds {
  readonly #first = new Map<string, string>();

  /** The other id under which the same thing came before; undefined: none. `key`: names the thing. */
  otherThan(messageId: string, key: string): string | undefined {
    const first = this.#first.get(key);
    if (first === undefined && this.#first.size < limits.messages) this.#first.set(key, messageId);
    return first === messageId ? undefined : first;
  }
}
