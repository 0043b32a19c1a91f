import type { ImageKind } from '../../../simulator/firmware/update/image.ts';
import { counted } from '../../language/document/counted.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';

/**
 * Of which images an update can end so (docs/firmware.md). An outcome that does not stand here can come of any: too late,
 * or interrupted too often. A server that cuts the connection off in the middle has the right image.
 */
const IMAGES: Readonly<Record<string, readonly ImageKind[]>> = {
  installed: ['right', 'cut-off'],
  corrupt: ['corrupt'],
  'too-large': ['too-large'],
  'cut-off': ['cut-off'],
};

/** How an update over the air ends fits the image that was offered. */
export const updatesEndRightly: Checker = ({ evidence, vehicles }) => {
  const findings = new Findings();
  let ends = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const { memories, acts } = evidence.boxHistory(vehicle);
    const offers = acts.filter(({ name, refusal }) => name === 'update' && refusal === undefined);
    let lastEndMs = Number.NEGATIVE_INFINITY;
    for (const [index, { atMs, updateOutcome }] of memories.entries()) {
      if (updateOutcome === undefined || memories[index - 1]?.updateOutcome === updateOutcome) continue;
      ends += 1;
      const possible = IMAGES[updateOutcome];
      // A box that installs passes over an offer, so any since the last end can be meant.
      const images = offers
        .filter((offer) => offer.atMs > lastEndMs && offer.atMs <= atMs)
        .map(({ settings }) => (settings as { readonly image: ImageKind }).image);
      lastEndMs = atMs;
      if (possible === undefined || images.length === 0) continue;
      if (images.some((image) => possible.includes(image))) continue;
      findings.add(
        'an update ended as its image does not',
        `${nameOf(vehicle)}: ${updateOutcome}, and the image offered was ${images.join(', then ')}`,
        { vehicle, atMs },
      );
    }
  }
  return Promise.resolve(findings.result(counted(ends, 'ended update')));
};
