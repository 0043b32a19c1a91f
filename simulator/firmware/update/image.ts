import { type FirmwareVersion, hasAbility } from '../../../protocol/firmware.ts';
import { limits } from '../../limits.ts';
import { mixBits } from '../core/chance.ts';

/**
 * The state of a program on the maker's update server: as it should be, or faulty in one way. A box never
 * sees this word, only its effects: sizes, chunks, and how the program behaves when it runs. The order is
 * that of the codes in flash.
 */
export const IMAGE_KINDS = ['right', 'corrupt', 'too-large', 'cut-off', 'fails-self-test'] as const;
export type ImageKind = (typeof IMAGE_KINDS)[number];

/** An offer to a box. */
export interface UpdateOffer {
  readonly version: FirmwareVersion;
  readonly image: ImageKind;
}

/** A program on the server, and how it behaves when it runs. */
export interface ProgramImage {
  readonly sizeBytes: number;
  /** The digest that the maker signed: that of the whole correct image. */
  readonly digest: number;
  readonly chunks: number;
  /** The digest updated with this chunk as the server sends it. */
  readonly digestOf: (digest: number, chunk: number) => number;
  /** The server closes each connection after this many chunks; undefined: it sends all. */
  readonly chunksPerConnection: number | undefined;
  /** Whether it passes its self-test on a box. */
  readonly passesSelfTest: boolean;
}

/** Newer programs are larger. */
function sizeOf([major, minor]: FirmwareVersion): number {
  return Math.min(limits.bankBytes, 700_000 + major * 100_000 + minor * 12_000);
}

/** The program that an offer refers to. */
export function imageOf({ version, image }: UpdateOffer): ProgramImage {
  const sizeBytes = image === 'too-large' ? limits.bankBytes + 1 : sizeOf(version);
  const chunks = Math.ceil(sizeBytes / limits.chunkBytes);
  const seed = mixBits((version[0] << 8) | version[1]);
  const spoilt = image === 'corrupt' ? chunks >> 1 : -1;
  const right = (digest: number, chunk: number): number => mixBits(digest ^ mixBits(seed + chunk));
  let digest = 0;
  for (let chunk = 0; chunk < chunks; chunk += 1) digest = right(digest, chunk);
  return {
    sizeBytes,
    digest,
    chunks,
    digestOf: (so, chunk) => right(chunk === spoilt ? so ^ 1 : so, chunk),
    chunksPerConnection: image === 'cut-off' ? chunks >> 1 : undefined,
    passesSelfTest: image !== 'fails-self-test',
  };
}

/** Whether a box with this program can be updated over the air. */
export function supportsUpdates(running: FirmwareVersion): boolean {
  return hasAbility(running, 'update-over-the-air');
}
