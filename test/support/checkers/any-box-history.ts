import type {
  BoxHistory,
  BoxMemory,
  PhoneQuestion,
  PhoneToken,
} from '../../../judge/evidence/box-history.ts';
import { BLUETOOTH_ACTIONS } from '../../../protocol/bluetooth.ts';

/** A history that can be changed. */
export type ChangeableHistory = { -readonly [Name in keyof BoxHistory]: Changeable<BoxHistory[Name]> };
type Changeable<List> = List extends readonly (infer Entry)[] ? Entry[] : List;

export interface HistoryOptions {
  readonly boxId: string;
  readonly startMs: number;
  readonly epoch: number;
  readonly configuration: BoxMemory['configuration'];
}

/**
 * A box in which nothing goes wrong: it is reset once, gets into a session at the third attempt, moves what it is asked
 * for, and answers a phone that has a right token and one that has not.
 */
export function rightHistory({ boxId, startMs, epoch, configuration }: HistoryOptions): ChangeableHistory {
  const first: BoxMemory = {
    atMs: startMs - 60_000,
    power: 'up',
    hangs: false,
    boot: 1,
    epoch,
    connection: 0,
    isWorkshop: false,
    knowsTime: true,
    isSettingUp: false,
    calibrated: 0,
    update: undefined,
    updateOutcome: undefined,
    configuration,
    tokens: { sinceMs: 0, tokens: [] },
  };
  const connects = [0, 1_000, 3_000].map((ms, index) => ({
    atMs: startMs - 30_000 + ms,
    connection: index + 1,
  }));
  const connected = { ...first, atMs: startMs - 27_000, connection: 3 };
  const isReset = { ...connected, atMs: startMs - 20_000, power: 'off' } as const;
  const again = { ...isReset, atMs: startMs - 17_000, power: 'up', boot: 2 } as const;
  return {
    memories: [first, connected, isReset, again],
    connects,
    acts: [],
    evictions: [],
    moves: [],
    phones: [
      question(boxId, startMs, { outcome: 'failed' }),
      question(boxId, startMs + 5_000, { outcome: 'refused', detail: 'the token is not genuine' }, false),
    ],
    isWhole: true,
  };
}

/** One question, which a token that allows everything makes right; it is answered at once. */
export function question(
  boxId: string,
  atMs: number,
  change: Partial<PhoneQuestion>,
  isGenuine = true,
): PhoneQuestion {
  const token: PhoneToken = {
    id: `TOKEN${atMs}`,
    boxId,
    uses: 2,
    isGenuine,
    allows: BLUETOOTH_ACTIONS.map(({ name }) => name),
    issuedMs: atMs,
    expiresMs: atMs + 3_600_000,
  };
  return {
    askedMs: atMs,
    answeredMs: atMs + 10,
    action: 'enable-driving',
    outcome: 'done',
    detail: '',
    token,
    ...change,
  };
}
