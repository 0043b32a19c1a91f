import type { ProbeBoxes } from '../../scenarios/testbed/common/faults/active-fault.ts';
import { BoxLooks } from '../../scenarios/testbed/common/vehicles/box-looks.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';

/** Observes the boxes of a running fleet. A box is watched only while it has an observer. */
export function liveLooks(boxOf: (boxId: string) => FleetBox | undefined): ProbeBoxes {
  const looks = new BoxLooks<string>();
  return (boxIds, probeOf) => {
    const there = boxIds.filter((boxId) => boxOf(boxId) !== undefined);
    const look = looks.begin(there, probeOf, (boxId) => boxOf(boxId)?.firmware());
    for (const boxId of there) {
      const box = boxOf(boxId);
      if (box === undefined || box.watcher !== undefined) continue;
      const nothing = (): void => undefined;
      box.watcher = { stepped: (state) => looks.stepped(boxId, state), acted: nothing, moved: nothing };
    }
    return {
      isMet: look.isMet,
      stop() {
        look.stop();
        for (const boxId of there) {
          const box = looks.has(boxId) ? undefined : boxOf(boxId);
          if (box !== undefined) box.watcher = undefined;
        }
      },
    };
  };
}
