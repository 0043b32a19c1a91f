import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The text of the process's own metrics: memory, event loop lag, garbage collection, CPU time, handles, under
 * the names of prom-client's default collectors, which dashboards know. Only for a service in the real world:
 * they observe the machine. A process may run several services, and the collectors cannot be stopped, so all
 * services share one registry.
 */
export function processMetrics(): Promise<string> {
  shared ??= collecting();
  return shared.metrics();
}

let shared: Registry | undefined;

function collecting(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
