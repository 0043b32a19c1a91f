import { isAtLeast } from '../../../protocol/firmware.ts';

/**
 * The callers: two fleets, of which the second may be a sharing partner, a third one, and one without a
 * token.
 */
export const CALLERS = ['owner', 'partner', 'stranger', 'nobody'] as const;
export type Caller = (typeof CALLERS)[number];

/** Refusals of a command besides those of all commands: section 4 of the service's document. */
interface CommandRules {
  readonly success: 200 | 204;
  /** Only the partner, or only the owner, while the vehicle is shared. */
  readonly sharedOnly?: 'partner' | 'owner';
  readonly isAtRest?: true;
  readonly isWorkshop?: true;
  readonly isUnsupported?: true;
  /** The SIM provider carries it out. */
  readonly isConnectivity?: true;
}

export const COMMAND_RULES = {
  'request-vehicle-state': { success: 200 },
  'lock-central-lock': { success: 200, isAtRest: true },
  'unlock-central-lock': { success: 200, isAtRest: true },
  'unlock-and-enable-driving': { success: 200, isAtRest: true },
  'request-system-status': { success: 200 },
  'ble-reset': { success: 204, sharedOnly: 'partner' },
  'board-reset': { success: 204, sharedOnly: 'partner' },
  'deactivate-workshop-mode': { success: 204, isWorkshop: true },
  'unlock-top-case': { success: 200, isAtRest: true, isUnsupported: true },
  'request-sim-suspension': { success: 204, sharedOnly: 'owner', isConnectivity: true },
  'request-sim-activation': { success: 204, sharedOnly: 'owner', isConnectivity: true },
} as const satisfies Readonly<Record<string, CommandRules>>;

export type CommandName = keyof typeof COMMAND_RULES;

/** `409 conflicting-state`; a success is only its status. */
export type ExpectedAnswer = string;

/**
 * For this long after a change it is not predicted whether the service knows of it: a box must notice it,
 * start, connect and report; a broker must miss the box.
 */
const SETTLE_MS = 6 * 60_000;

/** What a client can know and expect of one vehicle. Times are of the run's clock. */
export class VehicleOracle {
  isThere: boolean;
  isShared = false;
  hasCoverage = true;
  isSimActive = true;
  /** Of the connection: coverage, SIM, or a start of the box. */
  #linkChangedMs: number;
  #setup: { readonly sinceMs: number; readonly wasCut: boolean } | 'done';
  #firmware: readonly [number, number];
  /** Versions that may have been reported to the service. */
  #told: readonly (readonly [number, number])[];
  #motion: 'still' | 'driving' | { readonly parkedMs: number } = 'still';
  lock: 'LOCKED' | 'UNLOCKED' | undefined;

  constructor(nowMs: number, firmware: readonly [number, number], isThere: boolean) {
    this.isThere = isThere;
    this.#linkChangedMs = nowMs;
    this.#firmware = firmware;
    this.#told = [firmware];
    this.#setup = 'done';
  }

  /** All answers that a command may get now. */
  expected(name: CommandName, asker: Caller, nowMs: number): readonly ExpectedAnswer[] {
    this.#settle(nowMs);
    const rules: CommandRules = COMMAND_RULES[name];
    if (asker === 'nobody') return ['401 missing-credentials'];
    if (asker === 'stranger' || (asker === 'partner' && !this.isShared)) return ['404 resource-not-found'];
    const isSettingUp = this.#setup !== 'done';
    const refusals = isSettingUp
      ? [rules.isWorkshop === true ? '409 conflicting-resource' : '409 conflicting-setup-status']
      : [];
    return [...refusals, ...this.#beyondSetup(rules, asker, nowMs)];
  }

  #beyondSetup(rules: CommandRules, asker: Caller, nowMs: number): readonly ExpectedAnswer[] {
    const { sharedOnly, success } = rules;
    if (this.isShared && sharedOnly !== undefined && (sharedOnly === 'partner') !== (asker === 'partner'))
      return ['409 shared-with-partner'];
    if (rules.isUnsupported === true) return ['409 command-not-supported'];
    const fits = this.#told.map((version) => rules.isWorkshop !== true || isAtLeast(version, [2, 24]));
    const tooOld = fits.includes(false) ? ['409 incompatible-firmware-version'] : [];
    if (!fits.includes(true)) return tooOld;
    const link = this.link(nowMs);
    const notReady = link === 'unsure' ? ['409 conflicting-resource'] : [];
    if (rules.isConnectivity === true) return [...tooOld, ...notReady, `${success}`];
    const moving = rules.isAtRest === true && this.#motion !== 'still' ? ['409 conflicting-state'] : [];
    const reached = link === 'down' ? [] : [`${success}`];
    const unreached = link === 'up' ? [] : ['504 no-connection'];
    return [...tooOld, ...notReady, ...moving, ...reached, ...unreached];
  }

  link(nowMs: number): 'up' | 'down' | 'unsure' {
    if (nowMs - this.#linkChangedMs < SETTLE_MS) return 'unsure';
    return this.hasCoverage && this.isSimActive ? 'up' : 'down';
  }

  /** Applies the answer to a command. */
  answered(name: CommandName, answer: ExpectedAnswer, nowMs: number): void {
    const isDone = answer === `${COMMAND_RULES[name].success}`;
    const mayBeDone = isDone || answer.startsWith('504');
    if (name === 'request-sim-suspension' && isDone) this.setSim(false, nowMs);
    if (name === 'request-sim-activation' && isDone) this.setSim(true, nowMs);
    if (name === 'board-reset' && mayBeDone) this.#linkChanged(nowMs);
    if (name === 'lock-central-lock' && mayBeDone) this.lock = isDone ? 'LOCKED' : undefined;
    const unlocks = name === 'unlock-central-lock' || name === 'unlock-and-enable-driving';
    if (unlocks && mayBeDone) this.lock = isDone ? 'UNLOCKED' : undefined;
  }

  setCoverage(hasCoverage: boolean, nowMs: number): void {
    if (this.hasCoverage === hasCoverage) return;
    this.hasCoverage = hasCoverage;
    this.#linkChanged(nowMs);
  }

  setSim(isActive: boolean, nowMs: number): void {
    if (this.isSimActive === isActive) return;
    this.isSimActive = isActive;
    this.#linkChanged(nowMs);
  }

  putFirmware(version: readonly [number, number], nowMs: number): void {
    this.#settle(nowMs);
    this.#firmware = version;
    this.#told = [...this.#told, version];
    this.#linkChanged(nowMs);
  }

  onboarded(nowMs: number): void {
    this.isThere = true;
    this.#setup = { sinceMs: nowMs, wasCut: this.link(nowMs) !== 'up' };
    this.#linkChanged(nowMs);
  }

  drive(): void {
    this.#motion = 'driving';
    this.lock = undefined;
  }

  park(nowMs: number): void {
    // With the ignition off the bus goes to sleep, and a setup may not finish.
    if (this.#setup !== 'done') this.#setup = { ...this.#setup, wasCut: true };
    if (this.#motion === 'driving') this.#motion = { parkedMs: nowMs };
    this.lock = undefined;
  }

  #linkChanged(nowMs: number): void {
    this.#linkChangedMs = nowMs;
    if (this.#setup !== 'done' && this.#setup.sinceMs < nowMs) this.#setup = { ...this.#setup, wasCut: true };
  }

  /** What the service must know by now. An interrupted setup may have failed for good. */
  #settle(nowMs: number): void {
    if (this.link(nowMs) !== 'up') return;
    this.#told = [this.#firmware];
    if (this.#setup !== 'done' && !this.#setup.wasCut && nowMs - this.#setup.sinceMs >= SETTLE_MS)
      this.#setup = 'done';
    if (typeof this.#motion === 'object' && nowMs - this.#motion.parkedMs >= SETTLE_MS)
      this.#motion = 'still';
  }
}
