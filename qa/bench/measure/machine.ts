import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

const GIB = 2 ** 30;

/** On what a figure was measured: cores, processor, memory, system, Node. */
export function machineText(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${(totalmem() / GIB).toFixed(0)} GiB`;
  return `${availableParallelism()} cores (${model}), ${memory}, ${type()} ${release()}, Node ${process.versions.node}`;
}

/** Processes that ran or waited for a core, over the last minute; 0 on systems that do not count them. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}
