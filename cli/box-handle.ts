import type { Face } from './face.ts';
import type { Box, BoxPicture } from './start.ts';

/** The control face of one box as functions. Nothing is asked before one of them is called. */
export function boxHandle(id: string, control: Face): Box {
  const path = `/boxes/${encodeURIComponent(id)}`;
  const act = async (action: string, body: Readonly<Record<string, unknown>> = {}) =>
    (await control('POST', `${path}/${encodeURIComponent(action)}`, body)) as BoxPicture;
  return {
    look: async () => (await control('GET', path)) as BoxPicture,
    drive: () => act('drive'),
    park: () => act('park'),
    doors: (open) => act('doors', { open }),
    ignition: (on) => act('ignition', { on }),
    coverage: (available) => act('coverage', { available }),
    signal: (csq) => act('signal', { csq }),
    brownOut: () => act('brown-out'),
    cutLink: () => act('cut-link'),
    reset: (reason) => act('reset', { reason }),
    sim: (state) => act('sim', { state }),
    setup: (obstacle, durationS) =>
      act('setup', { obstacle, ...(durationS === undefined ? {} : { duration_s: durationS }) }),
    act,
  };
}
