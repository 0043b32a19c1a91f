import { PERMISSIONS } from '../../../contract/permissions.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { Fact } from '../../evidence/fact.ts';
import { limits } from '../limits.ts';

const ALL_PERMISSIONS: readonly string[] = PERMISSIONS.map(({ name }) => name);

type CallTime = Pick<AnsweredCall, 'askedMs' | 'answeredMs'>;

/** A client's permissions at some time: at least, and at most. */
export interface PermissionsThen {
  readonly surely: readonly string[];
  readonly perhaps: readonly string[];
}

interface ChangeSpan {
  readonly client: string;
  /** Undefined: the client was deleted. */
  readonly permissions: readonly string[] | undefined;
  readonly detail: string;
  readonly fromMs: number;
  toMs: number;
}

/**
 * What operators did to clients while their tokens lived. The service may use a client's record that is up to 5 s old
 * (docs/api.md, Signing in); a client that it did not find is read again each time.
 */
export class ClientHistory {
  readonly #spans: ChangeSpan[] = [];

  constructor(facts: readonly Fact[]) {
    for (const fact of facts) {
      if (fact.kind !== 'fault' || !fact.name.startsWith('access ')) continue;
      const { atMs, detail, phase } = fact;
      if (phase === 'begins') {
        const { client, permissions } = JSON.parse(detail) as Pick<ChangeSpan, 'client' | 'permissions'>;
        this.#spans.push({ client, permissions, detail, fromMs: atMs, toMs: Number.POSITIVE_INFINITY });
      } else {
        const open = this.#spans.find(
          (one) => one.detail === detail && one.toMs === Number.POSITIVE_INFINITY,
        );
        if (open !== undefined) open.toMs = atMs;
      }
    }
  }

  /** Whether the client was deleted, and the service must know it, throughout the call. */
  isGone(client: string, { askedMs, answeredMs }: CallTime): boolean {
    return this.#deletions(client).some(
      ({ fromMs, toMs }) => askedMs > fromMs + limits.clientMemoryMs && answeredMs < toMs,
    );
  }

  /** Whether the client may have been deleted at any time of the call. */
  mayBeGone(client: string, { askedMs, answeredMs }: CallTime): boolean {
    return this.#deletions(client).some(({ fromMs, toMs }) => askedMs <= toMs && answeredMs >= fromMs);
  }

  /** `granted`: as in the scenario; undefined: everything. */
  permissionsAt(
    client: string,
    granted: readonly string[] | undefined,
    { askedMs, answeredMs }: CallTime,
  ): PermissionsThen {
    const all = granted ?? ALL_PERMISSIONS;
    const own = this.#spans.filter((one) => one.client === client && one.permissions !== undefined);
    const takenBy = (spans: readonly ChangeSpan[]) =>
      new Set(spans.flatMap(({ permissions = [] }) => permissions));
    const surelyTaken = takenBy(
      own.filter(({ fromMs, toMs }) => askedMs > fromMs + limits.clientMemoryMs && answeredMs < toMs),
    );
    const perhapsTaken = takenBy(
      own.filter(({ fromMs, toMs }) => askedMs <= toMs + limits.clientMemoryMs && answeredMs >= fromMs),
    );
    return {
      surely: all.filter((one) => !perhapsTaken.has(one)),
      perhaps: all.filter((one) => !surelyTaken.has(one)),
    };
  }

  #deletions(client: string): readonly ChangeSpan[] {
    return this.#spans.filter((one) => one.client === client && one.permissions === undefined);
  }
}
