import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Counts how often an element has got another size: who draws into it draws again. */
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
