import type { Random } from '../../world/random.ts';
import type { Selection } from '../language/scenario.ts';
import type { Player } from './theatre.ts';

/** Who was chosen by which step, by its label. */
export type Chosen = ReadonlyMap<string, readonly Player[]>;

/**
 * The players of a selection, in the order of the fleet. A count or a share is drawn from the stream of the step's own
 * name, so that a step that is added shifts nobody else's choice.
 */
export function castOf(
  { group, pick }: Selection,
  players: readonly Player[],
  chosen: Chosen,
  random: Random,
  step: string,
): readonly Player[] {
  const among = group === undefined ? players : players.filter((player) => player.group.as === group);
  if (pick === 'all') return among;
  if ('box' in pick) return among.slice(pick.box - 1, pick.box);
  if ('count' in pick) return draw(among, pick.count, random, step);
  if ('fraction' in pick) {
    return draw(among, Math.max(1, Math.round(among.length * pick.fraction)), random, step);
  }
  if ('sameAs' in pick) return only(among, chosen.get(pick.sameAs) ?? []);
  const others = new Set(chosen.get(pick.othersThan) ?? []);
  return among.filter((player) => !others.has(player));
}

/** So many of them: Fisher and Yates' shuffle as far as it is needed. */
function draw(among: readonly Player[], count: number, random: Random, step: string): readonly Player[] {
  const stream = random.stream(`scenario/cast/${step}`);
  const left = [...among];
  const taken = new Set<Player>();
  while (taken.size < count && left.length > 0) {
    const at = stream.whole(0, left.length - 1);
    const last = left.pop();
    const one = at < left.length ? left[at] : last;
    if (at < left.length && last !== undefined) left[at] = last;
    if (one !== undefined) taken.add(one);
  }
  return among.filter((player) => taken.has(player));
}

function only(among: readonly Player[], some: readonly Player[]): readonly Player[] {
  const set = new Set(some);
  return among.filter((player) => set.has(player));
}
