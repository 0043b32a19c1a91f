import type { TappedFrame, WireTap } from '../../../../simulator/control/wire.ts';
import type { BoxPlan, FleetBox } from '../../../../simulator/fleet.ts';
import { planFleet } from '../../../../simulator/plan.ts';
import { makeVehicle } from '../../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../../world/seeded-random.ts';

export const START_MS = Date.UTC(2026, 0, 5, 8);

/** A box without firmware around a vehicle that is real; what only firmware could do is written down. */
export interface FakeBox extends FleetBox {
  readonly calls: string[];
  advance(durationMs: number): void;
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
      return [
        plan.boxId,
        {
          plan,
          calls,
          advance(durationMs) {
            atMs += durationMs;
            vehicle.advance(atMs);
          },
          truth: () => vehicle.truth(),
          belief: () => ({ boot: 1 }),
          drive: () => vehicle.drive(),
          park: () => vehicle.park(),
          openDoor: (isOpen) => vehicle.openDoor(isOpen),
          turnIgnition: (isOn) => vehicle.turnIgnition(isOn),
          setCoverage: (hasCoverage) => vehicle.setCoverage(hasCoverage),
          setSignalQuality: (csq) => vehicle.setSignalQuality(csq),
          brownOut: () => vehicle.brownOut(),
          cutLink: () => calls.push('cut-link'),
          reset: (reason) => calls.push(`reset ${reason}`),
          setSim: (to) => calls.push(`sim ${to}`),
        },
      ];
    }),
  );
  const [first] = boxes.values();
  if (first === undefined) throw new Error('no boxes');
  return { boxes, first, plans };
}

/** A tap that the test lets frames through, and that counts who listens. */
export function fakeTap(): WireTap & { pass(boxId: string, frame: TappedFrame): void; listeners(): number } {
  const hearers = new Set<{ boxId: string; hear: (frame: TappedFrame) => void }>();
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
