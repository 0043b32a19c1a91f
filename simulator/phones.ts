import {
  type BluetoothAction,
  type BluetoothToken,
  bluetoothTokenText,
  readBluetoothToken,
} from '../protocol/bluetooth.ts';
import type { FlashOperation } from '../world/flash.ts';
import { bluetoothPhase } from './firmware/ble.ts';
import type { PhoneOutcome } from './firmware/ble-access.ts';
import { bluetoothPage, type KeptToken, noTokens, readBluetooth } from './firmware/ble-pages.ts';
import type { Input } from './firmware/input.ts';
import type { BoxState } from './firmware/state.ts';
import type { BoxPlan, SimulatorWorld } from './fleet.ts';
import { limits } from './limits.ts';
import type { Vehicle } from './vehicle/senses.ts';

/** What comes back to a phone. `silent`: nothing answered it, and `detail` says what is known of that from outside. */
export interface PhoneAnswer {
  readonly outcome: PhoneOutcome | 'silent';
  readonly detail: string;
}

/** A token as it is handed to somebody, once. */
export interface IssuedToken {
  readonly id: string;
  readonly expiresMs: number;
  readonly text: string;
}

/** What the control face does with the tokens of one box, and with phones beside it. */
export interface BluetoothSide {
  /** Makes a token; undefined: the box has as many as it can keep apart, until one of them expires. */
  issueToken(
    order: Pick<BluetoothToken, 'allows' | 'uses'> & { readonly validForMs: number },
  ): IssuedToken | undefined;
  /** The tokens that were issued and have not expired. */
  tokens(): readonly KeptToken[];
  /** Withdraws one. The box hears of it at once, or with its next session. False: there is none of that id. */
  withdrawToken(id: string): boolean;
  /** Somebody with a phone stands beside the vehicle and asks for that. Never rejects. */
  usePhone(token: string, action: BluetoothAction, device?: string): Promise<PhoneAnswer>;
}

/** The host's page with the tokens that were issued for a box; the firmware never sees it. */
export const issuedKey = 'bluetooth-issued';

interface Call {
  /** The box has had the question. */
  isAsked: boolean;
  readonly finish: (answer: PhoneAnswer) => void;
}

type Deliver = (make: (vehicle: Vehicle) => Input, page?: FlashOperation) => void;

/**
 * The phones around one box, and who hands out its tokens. Stands in for the security chip too, which alone knows the
 * box's secret: the firmware hears only whether a token is genuine.
 */
export class Phones implements BluetoothSide {
  readonly #plan: BoxPlan;
  readonly #world: Pick<SimulatorWorld, 'time' | 'mint' | 'seal' | 'trace'>;
  readonly #deliver: Deliver;
  readonly #calls = new Map<number, Call>();
  #issued: readonly KeptToken[] = [];
  #isLoaded = false;
  #wasReady = false;
  #isStopped = false;
  #lastCall = 0;
  #state: BoxState | undefined;

  constructor(
    plan: BoxPlan,
    world: Pick<SimulatorWorld, 'time' | 'mint' | 'seal' | 'trace'>,
    deliver: Deliver,
  ) {
    this.#plan = plan;
    this.#world = world;
    this.#deliver = deliver;
  }

  /** Takes its own page out of those of a box that boots; the first time it goes on from what stands there. */
  load(pages: Map<string, Uint8Array>): void {
    const page = pages.get(issuedKey);
    pages.delete(issuedKey);
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.#issued = [...readBluetooth(page).tokens, ...this.#issued];
  }

  issueToken({
    allows,
    uses,
    validForMs,
  }: Parameters<BluetoothSide['issueToken']>[0]): IssuedToken | undefined {
    const issued = this.tokens();
    if (issued.length >= limits.bluetoothTokens) return undefined;
    const id = this.#world.mint.ulid();
    const { boxId, secret } = this.#plan;
    const expiresMs = this.#world.time.nowMs() + validForMs;
    const text = bluetoothTokenText({ id, boxId, allows, uses, expiresMs });
    this.#keep([...issued, { id, expiresMs, used: 0, isWithdrawn: false }]);
    return { id, expiresMs, text: `${text}.${this.#world.seal.mac(secret, text)}` };
  }

  tokens(): readonly KeptToken[] {
    const nowMs = this.#world.time.nowMs();
    return this.#issued.filter((one) => one.expiresMs >= nowMs);
  }

  withdrawToken(id: string): boolean {
    const issued = this.tokens();
    if (!issued.some((one) => one.id === id)) return false;
    this.#keep(issued.map((one) => (one.id === id ? { ...one, isWithdrawn: true } : one)));
    return true;
  }

  usePhone(token: string, action: BluetoothAction, device = 'a phone'): Promise<PhoneAnswer> {
    const { time, trace, seal } = this.#world;
    this.#lastCall += 1;
    const number = this.#lastCall;
    const read = readBluetoothToken(token);
    const presented = read && {
      token: read.token,
      isGenuine: seal.verifyMac(this.#plan.secret, read.text, read.mac),
    };
    return new Promise((resolve) => {
      const call: Call = {
        isAsked: false,
        finish: (answer) => {
          cancel();
          this.#calls.delete(number);
          const detail = `${device}: ${action} ${answer.outcome}`;
          trace.note({ who: `box/${this.#plan.boxId}`, what: 'phone', detail });
          resolve(answer);
        },
      };
      const cancel = time.alarm(time.nowMs() + limits.phonePatienceMs, () => call.finish(this.#silence()));
      this.#calls.set(number, call);
      if (this.#isStopped) {
        call.finish(this.#silence());
        return;
      }
      this.#deliver((vehicle) => {
        // Given up while the flash took no write: nobody stands there any more, and nothing opens.
        if (!this.#calls.has(number)) return { kind: 'withdrawn', tokens: [] };
        call.isAsked = true;
        return { kind: 'phone', call: number, action, presented, senses: vehicle.sense() };
      });
    });
  }

  /** The box answers. */
  answer(number: number, { outcome, detail }: PhoneAnswer): void {
    this.#calls.get(number)?.finish({ outcome, detail });
  }

  /** A step of the box is over. What it was asked and neither answers nor works on, it has not heard. */
  after(state: BoxState): void {
    this.#state = state;
    if (this.#calls.size > 0) this.#hangUpUnheard(state);
    const isReady = state.ram.session.phase === 'ready';
    const isNew = isReady && !this.#wasReady;
    this.#wasReady = isReady;
    if (isNew && this.#withdrawn().length > 0) this.#tellWithdrawn();
  }

  #hangUpUnheard(state: BoxState): void {
    for (const [number, call] of this.#calls) {
      const isAtWork = state.ram.power === 'up' && state.ram.caller === number;
      if (call.isAsked && !isAtWork) call.finish(this.#silence());
    }
  }

  /** The box has no power any more. */
  stop(): void {
    this.#isStopped = true;
    for (const call of this.#calls.values()) call.finish(this.#silence());
  }

  #keep(issued: readonly KeptToken[]): void {
    this.#issued = issued;
    this.#tellWithdrawn({ put: issuedKey, bytes: bluetoothPage({ ...noTokens, tokens: issued }) });
  }

  #withdrawn(): readonly KeptToken[] {
    return this.#issued.filter((one) => one.isWithdrawn);
  }

  #tellWithdrawn(page?: FlashOperation): void {
    this.#deliver(() => ({ kind: 'withdrawn', tokens: this.#withdrawn() }), page);
  }

  #silence(): PhoneAnswer {
    return { outcome: 'silent', detail: silenceOf(this.#isStopped ? undefined : this.#state) };
  }
}

/** Why a box in that state answers no phone, and what to do about it. */
function silenceOf(state: BoxState | undefined): string {
  if (state === undefined || state.ram.power !== 'up') {
    return 'The box is not running, so nothing answers by Bluetooth. Wait until it is up.';
  }
  if (state.ram.hang !== undefined) {
    return "The box's application hangs. Wait until it goes on, or its watchdog resets it.";
  }
  switch (bluetoothPhase(state)) {
    case 'off':
      return 'Bluetooth is turned off in the box settings. PUT the box settings with ble_enabled true.';
    case 'resetting':
      return 'The Bluetooth module is being reset. Try again in some seconds.';
    default:
      return 'The box did not answer in time. What came of it, the next report tells.';
  }
}
