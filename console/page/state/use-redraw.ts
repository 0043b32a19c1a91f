import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Counts the size changes of an element: each one requires a redraw. */
export function useRedraw(element: RefObject<HTMLElement | null>): number {
  const [sizes, setSizes] = useState(0);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(() => setSizes((before) => before + 1));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return sizes;
}
