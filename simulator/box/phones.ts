import { type BluetoothAction, bluetoothTokenText, readBluetoothToken } from '../../protocol/bluetooth.ts';
import type { FlashOperation } from '../../world/flash/flash.ts';
import type { BoxPlan } from '../box-plan.ts';
import { bluetoothPhase } from '../firmware/bluetooth/bluetooth.ts';
import {
  bluetoothPage,
  type KnownToken,
  noTokens,
  readBluetooth,
} from '../firmware/bluetooth/bluetooth-pages.ts';
import type { FirmwareInput } from '../firmware/core/input.ts';
import type { BoxState } from '../firmware/core/state.ts';
import { limits } from '../limits.ts';
import type { SimulatorWorld } from '../simulator-world.ts';
import type { Vehicle } from '../vehicle/sensing/vehicle-ports.ts';
import type { BluetoothControls, IssuedToken, PhoneAnswer } from './fleet-box.ts';

/** The host's page with the tokens that were issued for a box; the firmware never sees it. */
export const issuedTokensKey = 'bluetooth-issued';

interface PhoneCall {
  /** The box has received the request. */
  isAsked: boolean;
  readonly finish: (answer: PhoneAnswer) => void;
}

type Deliver = (make: (vehicle: Vehicle) => FirmwareInput, page?: FlashOperation) => void;

/**
 * The phones around one box, and the issuer of its tokens. Also represents the security chip, which alone knows the
 * box's secret: the firmware learns only whether a token is genuine.
 */
export class Phones implements BluetoothControls {
  readonly #plan: BoxPlan;
  readonly #world: Pick<SimulatorWorld, 'time' | 'ids' | 'crypto' | 'trace'>;
  readonly #deliver: Deliver;
  /** Made with the first call: most boxes have none. */
  #calls: Map<number, PhoneCall> | undefined;
  #issued: readonly KnownToken[] = noTokens.tokens;
  #isLoaded = false;
  #wasReady = false;
  #isStopped = false;
  #lastCall = 0;
  #state: BoxState | undefined;

  constructor(
    plan: BoxPlan,
    world: Pick<SimulatorWorld, 'time' | 'ids' | 'crypto' | 'trace'>,
    deliver: Deliver,
  ) {
    this.#plan = plan;
    this.#world = world;
    this.#deliver = deliver;
  }

  /** Takes its own page out of those of a box that boots; the first time it continues from its content. */
  load(pages: Map<string, Uint8Array>): void {
    const page = pages.get(issuedTokensKey);
    pages.delete(issuedTokensKey);
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    if (page !== undefined) this.#issued = [...readBluetooth(page).tokens, ...this.#issued];
  }

  issueToken({
    allows,
    uses,
    validForMs,
  }: Parameters<BluetoothControls['issueToken']>[0]): IssuedToken | undefined {
    const issued = this.tokens();
    if (issued.length >= limits.bluetoothTokens) return undefined;
    const id = this.#world.ids.ulid();
    const { boxId, secret } = this.#plan;
    const expiresMs = this.#world.time.nowMs() + validForMs;
    const text = bluetoothTokenText({ id, boxId, allows, uses, expiresMs });
    this.#saveTokens([...issued, { id, expiresMs, used: 0, isWithdrawn: false }]);
    return { id, expiresMs, text: `${text}.${this.#world.crypto.mac(secret, text)}` };
  }

  tokens(): readonly KnownToken[] {
    const nowMs = this.#world.time.nowMs();
    return this.#issued.filter((one) => one.expiresMs >= nowMs);
  }

  withdrawToken(id: string): boolean {
    const issued = this.tokens();
    if (!issued.some((one) => one.id === id)) return false;
    this.#saveTokens(issued.map((one) => (one.id === id ? { ...one, isWithdrawn: true } : one)));
    return true;
  }

  usePhone(token: string, action: BluetoothAction, device = 'a phone'): Promise<PhoneAnswer> {
    const { time, trace, crypto } = this.#world;
    this.#lastCall += 1;
    const number = this.#lastCall;
    const read = readBluetoothToken(token);
    const presented = read && {
      token: read.token,
      isGenuine: crypto.verifyMac(this.#plan.secret, read.text, read.mac),
    };
    const untilMs = time.nowMs() + limits.phoneTimeoutMs;
    return new Promise((resolve) => {
      const call: PhoneCall = {
        isAsked: false,
        finish: (answer) => {
          cancel();
          this.#calls?.delete(number);
          const detail = `${device}: ${action} ${answer.outcome}`;
          trace.note({ who: `box/${this.#plan.boxId}`, what: 'phone', detail });
          resolve(answer);
        },
      };
      const cancel = time.alarm(untilMs, () => call.finish(this.#silentAnswer()));
      this.#calls ??= new Map();
      this.#calls.set(number, call);
      if (this.#isStopped) {
        call.finish(this.#silentAnswer());
        return;
      }
      this.#deliver((vehicle) => {
        // Abandoned while the flash took no write: the phone has left, and nothing opens.
        if (this.#calls?.has(number) !== true) return { kind: 'withdrawn', tokens: [] };
        call.isAsked = true;
        const leftMs = untilMs - time.nowMs();
        return { kind: 'phone', call: number, action, presented, leftMs, sensors: vehicle.sensors() };
      });
    });
  }

  /** The box answers. */
  answer(number: number, { outcome, detail }: PhoneAnswer): void {
    this.#calls?.get(number)?.finish({ outcome, detail });
  }

  /** A step of the box is over. A request that it neither answers nor works on was not received. */
  afterStep(state: BoxState): void {
    this.#state = state;
    if (this.#calls !== undefined && this.#calls.size > 0) this.#endUnheardCalls(this.#calls, state);
    const isReady = state.ram.session.phase === 'ready';
    const isNew = isReady && !this.#wasReady;
    this.#wasReady = isReady;
    if (isNew && this.#withdrawn().length > 0) this.#sendWithdrawn();
  }

  #endUnheardCalls(calls: ReadonlyMap<number, PhoneCall>, state: BoxState): void {
    for (const [number, call] of calls) {
      const isAtWork = state.ram.power === 'up' && state.ram.phoneCall === number;
      if (call.isAsked && !isAtWork) call.finish(this.#silentAnswer());
    }
  }

  /** The box has no power any more. */
  stop(): void {
    this.#isStopped = true;
    for (const call of this.#calls?.values() ?? []) call.finish(this.#silentAnswer());
  }

  #saveTokens(issued: readonly KnownToken[]): void {
    this.#issued = issued;
    this.#sendWithdrawn({ put: issuedTokensKey, bytes: bluetoothPage({ ...noTokens, tokens: issued }) });
  }

  #withdrawn(): readonly KnownToken[] {
    return this.#issued.filter((one) => one.isWithdrawn);
  }

  #sendWithdrawn(page?: FlashOperation): void {
    this.#deliver(() => ({ kind: 'withdrawn', tokens: this.#withdrawn() }), page);
  }

  #silentAnswer(): PhoneAnswer {
    return { outcome: 'silent', detail: reasonOfSilence(this.#isStopped ? undefined : this.#state) };
  }
}

/** Why a box in that state answers no phone, and what to do about it. */
function reasonOfSilence(state: BoxState | undefined): string {
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
      return 'The box did not answer in time. The next report shows the outcome.';
  }
}
