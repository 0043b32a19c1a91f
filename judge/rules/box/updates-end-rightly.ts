import type { ImageKind } from '../../../simulator/firmware/update/image.ts';
import type { UpdateOutcome } from '../../../simulator/firmware/update/update-state.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';

/**
 * The images with which an update can have each outcome (docs/firmware.md). An outcome that is not listed can occur
 * with any: too late, or interrupted too often. A server that closes the connection midway has the right image.
 */
const IMAGES: Readonly<Partial<Record<UpdateOutcome, readonly ImageKind[]>>> = {
  installed: ['right', 'cut-off'],
  corrupt: ['corrupt'],
  'too-large': ['too-large'],
  'cut-off': ['cut-off'],
};

/** The outcome of an update over the air matches the offered image. */
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
      const possible = IMAGES[updateOutcome as UpdateOutcome];
      // A box ignores offers during an installation, so any since the last outcome can be meant.
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
  return Promise.resolve(findings.result([[ends, 'ended update']]));
};
