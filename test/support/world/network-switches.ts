import type { LayerName, LayerSettings, PassingPacket } from '../../../world/network-faults/conditions.ts';
import type { ClientTarget, NetworkFaults, Undo } from '../../../world/network-faults/network-faults.ts';

type SwitchName = Extract<LayerName, 'half_open' | 'stall' | 'latency'>;

/** Network faults that a test switches on and off: of each kind at most one on a target. */
export class NetworkSwitches {
  readonly #faults: NetworkFaults;
  readonly #undos = new Map<string, Undo>();

  constructor(faults: NetworkFaults) {
    this.#faults = faults;
  }

  /** Replaces the fault of that kind on the target; undefined: ends it. */
  set<Name extends SwitchName>(
    name: Name,
    target: ClientTarget,
    setting: LayerSettings[Name] | undefined,
  ): void {
    const key = `${name} ${String(target)}`;
    const former = this.#undos.get(key);
    this.#undos.delete(key);
    if (setting !== undefined) this.#undos.set(key, this.#faults.apply(name, target, setting));
    former?.();
  }

  halfOpen(target: ClientTarget, isOn: boolean): void {
    this.set('half_open', target, isOn ? {} : undefined);
  }

  stall(target: ClientTarget, isOn: boolean): void {
    this.set('stall', target, isOn ? {} : undefined);
  }

  /** The next PUBACK to the client is lost together with its connection. */
  losePuback(target: ClientTarget): void {
    this.#faults.addPacketFault(target, { matches: isPubackDown, count: 1, act: { kind: 'lose-and-cut' } });
  }

  /** The next PUBACK to the client is lost, and the connection stays up. */
  withholdPuback(target: ClientTarget): void {
    this.#faults.addPacketFault(target, { matches: isPubackDown, count: 1, act: { kind: 'lose' } });
  }
}

function isPubackDown({ direction, kind }: PassingPacket): boolean {
  return direction === 'down' && kind === 'PUBACK';
}
