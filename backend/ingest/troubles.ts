import type { Log } from '../../world/log/log.ts';
import { limits } from '../base/limits.ts';

/** Something wrong with a box. Logged once for each kind and box. */
export interface Trouble {
  readonly kind: TroubleKind;
  /** Empty if the topic names none. */
  readonly boxId: string;
  readonly detail: string;
}

const TROUBLES = {
  'foreign-topic': 'a payload arrived on a topic of no box and was put in quarantine',
  'unknown-box': 'a box that is not onboarded sends, and its payloads are put in quarantine',
  undecodable: 'bytes of a box could not be decoded and were put in quarantine',
  'old-epoch':
    'a frame of a journal that the box has wiped since was put in quarantine; if the box greets with it for 10 min, it is served again',
  'new-epoch': 'a box begins a new journal: its flash was wiped, or another device uses its password',
  'epoch-return':
    'a box continues a journal that it seemed to have wiped: another device may use its password. Replace the password, and configure the vehicle again',
  'wrong-direction': 'a box sends a frame that only the backend sends; it was put in quarantine',
  'wrong-channel': 'a frame arrived on the wrong topic of its box and was put in quarantine',
  'impossible-tombstone': 'a tombstone for records that are not behind it was put in quarantine',
  'unexplained-gap': 'records of a box are lost and no tombstone explains it',
  'sequence-regression': 'a box has forgotten sequences that it had sent: it will use them again',
  'update-failed': 'a box could not apply a firmware update, and continues with its previous version',
  'too-many-gaps': 'records were left to be sent again: too many gaps are open before them',
} as const;

export type TroubleKind = keyof typeof TROUBLES;

/** Logs each kind of trouble once per box; counters have the number. */
export function makeTroubleLog(log: Log): (troubles: readonly Trouble[]) => void {
  const logged = new Set<string>();
  return (troubles) => {
    for (const { kind, boxId, detail } of troubles) {
      const key = `${kind} ${boxId}`;
      if (logged.has(key)) continue;
      if (logged.size >= limits.loggedTroubles) logged.clear();
      logged.add(key);
      log.warn({ kind, boxId, detail }, TROUBLES[kind]);
    }
  };
}
