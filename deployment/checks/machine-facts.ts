import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { readPackageFile } from '../shared/package-file.ts';
import { nearestFolder } from './directory-facts.ts';
import type { DiskSpaceFacts } from './fleet-judges.ts';
import { limits } from './limits.ts';
import type { ClockFacts, DiskSpeedFacts, NodeFacts } from './machine-judges.ts';

/** The Node version of this process. */
export function nodeFacts(): NodeFacts {
  const { root, oldestNode, testedNode } = readPackageFile();
  const path = realpathSync(process.execPath);
  const installed = join(root, 'node_modules', 'node');
  return {
    version: process.versions.node,
    path,
    oldest: oldestNode,
    tested: testedNode,
    isInstalled: existsSync(installed) && path.startsWith(realpathSync(installed) + sep),
  };
}

/**
 * Starts to compare the clocks immediately; the returned function resolves with their drift, over some minimum time.
 */
export function beginClockFacts(): () => Promise<ClockFacts> {
  const [fromWall, fromMonotonic] = [Date.now(), performance.now()];
  return async () => {
    const leftMs = limits.clockMs - (performance.now() - fromMonotonic);
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
    const nowMs = Date.now();
    return { nowMs, wallMs: nowMs - fromWall, monotonicMs: performance.now() - fromMonotonic };
  };
}

/**
 * Makes commits one after the other in the place of the data directory: each writes and syncs one block, like the end
 * of a write-ahead log. It writes into a temporary folder, which it removes. Rejects with the system's error.
 */
export async function diskSpeedFacts(data: string): Promise<DiskSpeedFacts> {
  const path = nearestFolder(data);
  const folder = await mkdtemp(join(path, '.boxtwin-doctor-'));
  const commitsMs: number[] = [];
  try {
    const file = await open(join(folder, 'commits'), 'w');
    try {
      const block = Buffer.alloc(limits.commitBytes, 1);
      const endMs = performance.now() + limits.commitsMs;
      while (commitsMs.length < limits.commits && performance.now() < endMs) {
        const fromMs = performance.now();
        await file.write(block);
        await file.datasync();
        commitsMs.push(performance.now() - fromMs);
      }
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { path, commitsMs };
}

/** The space available to users other than root. Throws the system's error. */
export function diskSpaceFacts(data: string): DiskSpaceFacts {
  const path = nearestFolder(data);
  const { bavail, bsize } = statfsSync(path);
  return { path, freeBytes: bavail * bsize };
}
