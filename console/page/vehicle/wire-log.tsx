import { useState } from 'preact/hooks';
import { ask } from '../state/ask.ts';
import type { WireLine, WireState } from './use-wire.ts';

/** The frames of a box in the order of transmission, the newest first. */
export function WireLog({ lines, state }: WireState) {
  return (
    <section class="wire" aria-label="Wire log">
      <h3>Wire</h3>
      {state !== '' && <p class="silence">{state}</p>}
      <ol>
        {lines.map((line) => (
          <li key={line.number}>
            <Frame line={line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Of a field the bytes from the first up to but not including the last; null if it has none of its own. */
type ByteRange = readonly [start: number, end: number] | null;

/** A frame: pointing at a field highlights its bytes, and pointing at a byte its field. */
function Frame({ line }: { readonly line: WireLine }) {
  const [lit, setLit] = useState<number>();
  const [bytes, setBytes] = useState<readonly ByteRange[]>([]);
  const { fields, fault } = line;
  const onToggle = (event: Event) => {
    if (!(event.currentTarget as HTMLDetailsElement).open || bytes.length > 0) return;
    ask<readonly ByteRange[]>(`/console/frame-bytes/${line.hex}`).then(setBytes, () => undefined);
  };
  const hex = line.hex.match(/../g) ?? [];
  const fieldAt = (index: number) => {
    const found = bytes.findIndex((range) => range !== null && index >= range[0] && index < range[1]);
    return found < 0 ? undefined : found;
  };
  const range = lit === undefined ? undefined : (bytes[lit] ?? undefined);
  return (
    <details onToggle={onToggle}>
      <summary>
        <time>{line.at.slice(11, 23)}</time> {line.direction === 'up' ? '↑' : '↓'} {line.title}
        {fault !== undefined && <em class="cause"> {fault}</em>}
      </summary>
      <ul class="fields">
        {fields.map(([name, value], index) => (
          <li key={`${index}-${name}`}>
            <button
              type="button"
              class={index === lit ? 'lit' : ''}
              onMouseEnter={() => setLit(index)}
              onMouseLeave={() => setLit(undefined)}
              onFocus={() => setLit(index)}
              onBlur={() => setLit(undefined)}
            >
              <span class="name">{name}</span> {value}
            </button>
          </li>
        ))}
      </ul>
      <code class="bytes">
        {hex.map((byte, index) => (
          <button
            key={`${index}-${byte}`}
            type="button"
            tabIndex={-1}
            class={range !== undefined && index >= range[0] && index < range[1] ? 'lit' : ''}
            onMouseEnter={() => setLit(fieldAt(index))}
            onMouseLeave={() => setLit(undefined)}
          >
            {byte}
          </button>
        ))}
      </code>
    </details>
  );
}
