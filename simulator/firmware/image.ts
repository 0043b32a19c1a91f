import { type FirmwareVersion, hasAbility } from '../../protocol/firmware.ts';
import { limits } from '../limits.ts';
import { mix } from './chance.ts';

/**
 * How the maker's update server holds a program: as it should be, or spoilt in one way. A box never sees this word,
 * only what comes of it: sizes, chunks, and what the program does when it runs. The order is that of the codes in flash.
 */
export const IMAGE_KINDS = ['right', 'corrupt', 'too-large', 'cut-off', 'fails-self-test'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** What a box is offered. */
export interface Offer {
  readonly version: FirmwareVersion;
  readonly image: ImageKind;
}

/** A program on the server, and what it is once it runs. */
export interface Image {
  readonly sizeBytes: number;
  /** As the maker has signed it: that of the whole right image. */
  readonly digest: number;
  readonly chunks: number;
  /** What that chunk, as the server sends it, adds to a digest. */
  readonly digestOf: (digest: number, chunk: number) => number;
  /** So many chunks come over one connection before the server ends it; undefined: all. */
  readonly chunksPerConnection: number | undefined;
  /** Whether it finds itself working when it runs on a box. */
  readonly isSound: boolean;
}

/** Newer programs are larger. */
function sizeOf([major, minor]: FirmwareVersion): number {
  return Math.min(limits.bankBytes, 700_000 + major * 100_000 + minor * 12_000);
}

/** The program of an offer. */
export function imageOf({ version, image }: Offer): Image {
  const sizeBytes = image === 'too-large' ? limits.bankBytes + 1 : sizeOf(version);
  const chunks = Math.ceil(sizeBytes / limits.chunkBytes);
  const seed = mix((version[0] << 8) | version[1]);
  const spoilt = image === 'corrupt' ? chunks >> 1 : -1;
  const right = (digest: number, chunk: number): number => mix(digest ^ mix(seed + chunk));
  let digest = 0;
  for (let chunk = 0; chunk < chunks; chunk += 1) digest = right(digest, chunk);
  return {
    sizeBytes,
    digest,
    chunks,
    digestOf: (so, chunk) => right(chunk === spoilt ? so ^ 1 : so, chunk),
    chunksPerConnection: image === 'cut-off' ? chunks >> 1 : undefined,
    isSound: image !== 'fails-self-test',
  };
}

/** Whether a program can take one over the air in its place. */
export function takesUpdates(running: FirmwareVersion): boolean {
  return hasAbility(running, 'update-over-the-air');
}
