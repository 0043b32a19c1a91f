import { factsOf } from '../../../simulator/box/box-facts.ts';
import type { FleetBox } from '../../../simulator/box/fleet-box.ts';
import type { BoxPlan } from '../../../simulator/box-plan.ts';
import type { FrameTap, TappedPayload } from '../../../simulator/control/frame-stream.ts';
import { newBox } from '../../../simulator/firmware/core/boot.ts';
import type { SimState } from '../../../simulator/firmware/core/box-hardware.ts';
import type { BoxState } from '../../../simulator/firmware/core/state.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import { makeVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';

export const START_MS = Date.UTC(2026, 0, 5, 8);

/** A box whose firmware does nothing, around a vehicle that is real; what only firmware could do is written down. */
export interface FakeBox extends FleetBox {
  readonly calls: string[];
  advance(durationMs: number): void;
  /** Its firmware has come to be so: whoever watches the box is told. */
  step(ram: Partial<BoxState['ram']>): void;
}

export function fakeFleet(count: number): {
  boxes: Map<string, FakeBox>;
  first: FakeBox;
  plans: readonly BoxPlan[];
} {
  const random = seededRandom(11);
  const plans = planFleet(random, count);
  const boxes = new Map(
    plans.map((plan): [string, FakeBox] => {
      const vehicle = makeVehicle(plan, random, START_MS);
      const calls: string[] = [];
      let atMs = START_MS;
      let sim: SimState = 'active';
      let firmware = newBox(factsOf(plan, random));
      return [
        plan.boxId,
        {
          plan,
          calls,
          bluetooth: {
            issueToken: () => undefined,
            tokens: () => [],
            withdrawToken: () => false,
            usePhone: async () => ({ outcome: 'silent', detail: 'there is no firmware' }),
          },
          advance(durationMs) {
            atMs += durationMs;
            vehicle.advance(atMs);
          },
          truth: () => vehicle.truth(),
          held: () => vehicle.held(),
          keepHistory: (room) => vehicle.keepHistory(room),
          truthsBetween: (fromMs, toMs) => vehicle.truthsBetween(fromMs, toMs),
          watcher: undefined,
          firmware: () => firmware,
          step(ram) {
            firmware = { ...firmware, ram: { ...firmware.ram, ...ram } };
            this.watcher?.stepped(firmware);
          },
          isReady: () => true,
          status: () => ({ firmware: [2, 30], session: 'ready', heldRecords: 0 }),
          snapshot: () => ({ boot: 1, firmware: '2.30', power: 'up', update: null }),
          drive: (how) => vehicle.drive(how),
          maneuver: (what) => vehicle.maneuver(what),
          applyIncident: (incident) => vehicle.applyIncident(incident),
          routes: () => vehicle.routes(),
          park: () => vehicle.park(),
          openDoor: (isOpen) => vehicle.openDoor(isOpen),
          turnIgnition: (isOn) => vehicle.turnIgnition(isOn),
          setCoverage: (hasCoverage) => vehicle.setCoverage(hasCoverage),
          setSignalQuality: (csq) => vehicle.setSignalQuality(csq),
          setGnssReception: (isHeard) => vehicle.setGnssReception(isHeard),
          crossBorder: (isAbroad, gapMs) => vehicle.crossBorder(isAbroad, gapMs),
          brownOut: () => vehicle.brownOut(),
          setSupply: (supply) => vehicle.setSupply(supply),
          setInstallationFault: (fault, durationMs) => vehicle.setInstallationFault(fault, durationMs),
          openTopCase: (isOpen) => vehicle.openTopCase(isOpen),
          shutCompartment: () => vehicle.shutCompartment(),
          putOnStand: (isExtended) => vehicle.putOnStand(isExtended),
          operate: (deed) => vehicle.operate(deed),
          setMechanics: (change) => vehicle.setMechanics(change),
          setFault: (fault) => calls.push(`fault ${JSON.stringify(fault)}`),
          jumpClock: (byMs) => calls.push(`jump-clock ${byMs}`),
          setClockDrift: (ppm) => calls.push(`clock-drift ${ppm}`),
          losePower: () => calls.push('lose-power'),
          setFlashFull: (isFull) => calls.push(`flash-full ${isFull}`),
          wipe: () => calls.push('wipe'),
          hang: (forMs) => calls.push(`hang ${forMs}`),
          putFirmware: (version) => calls.push(`firmware ${version.join('.')}`),
          offerUpdate: ({ version, image }) => calls.push(`update ${version.join('.')} ${image}`),
          cutConnection: () => calls.push('cut-link'),
          reset: (reason) => calls.push(`reset ${reason}`),
          setSim: (to) => {
            sim = to;
            calls.push(`sim ${to}`);
          },
          sim: () => sim,
        },
      ];
    }),
  );
  const [first] = boxes.values();
  if (first === undefined) throw new Error('no boxes');
  return { boxes, first, plans };
}

/** A tap that the test lets frames through, and that counts who listens. */
export function fakeTap(): FrameTap & {
  pass(boxId: string, frame: TappedPayload): void;
  listeners(): number;
} {
  const hearers = new Set<{ boxId: string; hear: (frame: TappedPayload) => void }>();
  return {
    listen(boxId, hear) {
      const hearer = { boxId, hear };
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
    pass(boxId, frame) {
      for (const hearer of hearers) if (hearer.boxId === boxId) hearer.hear(frame);
    },
    listeners: () => hearers.size,
  };
}
