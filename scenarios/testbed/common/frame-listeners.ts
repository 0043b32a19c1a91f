import { decodePayload } from '../../../protocol/codec/frame.ts';
import type { MessageKindName } from '../../../protocol/message-kinds.ts';
import { codesOf, holdsAnyKind, type KindCodes } from './frame-ends.ts';

interface FrameListener {
  readonly kind: MessageKindName;
  readonly codes: KindCodes;
  readonly boxIds: ReadonlySet<string>;
  readonly happened: () => void;
}

/** The waits for frames of boxes. Payloads are decoded only while there are any. */
export class FrameListeners {
  readonly #listeners = new Set<FrameListener>();

  /** Calls `happened` at each frame of this kind of these boxes, until the returned function is called. */
  add(kind: MessageKindName, boxIds: readonly string[], happened: () => void): () => void {
    const listener = { kind, codes: codesOf(new Set([kind])), boxIds: new Set(boxIds), happened };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A payload of that box, up or down. */
  passed(boxId: string, payload: Uint8Array): void {
    for (const { kind, codes, boxIds, happened } of [...this.#listeners]) {
      if (!boxIds.has(boxId) || !holdsAnyKind(payload, codes)) continue;
      if (decodePayload(payload).frames.some(({ frame }) => frame.message.kind === kind)) happened();
    }
  }
}
