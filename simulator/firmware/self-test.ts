import { limits } from '../limits.ts';
import type { Turn } from './turn.ts';
import { isOnTrial } from './update.ts';

/** When a box that boots is up: a program on trial tests itself first. */
export function bootedAt({ ram, flash }: Pick<Turn, 'ram' | 'flash'>): number {
  return ram.bootedAt + limits.bootMs + (isOnTrial({ flash }) ? limits.selfTestMs : 0);
}
