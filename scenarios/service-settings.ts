import type { RemoteInterface } from '../backend/base/remote-interface.ts';
import type { ServiceSettings } from '../backend/settings.ts';
import { LIMITS } from '../contract/limits.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from '../simulator/box-plan.ts';

type Plain = Omit<ServiceSettings, 'baseUrl' | 'mqtt' | 'simProviders' | 'makers'>;

/** Addresses around a service, and settings that differ from the default; undefined means absent. */
export type ServiceSurroundings = Pick<ServiceSettings, 'baseUrl' | 'mqtt'> & {
  /** The base address of the simulated SIM providers; each has its name as path. */
  readonly simProviders?: {
    readonly url: string;
    readonly apiKeys: Readonly<Record<SimProviderName, string>>;
  };
  /** The simulated cloud of a maker; absent: no vehicle has its maker's telematics. */
  readonly maker?: (RemoteInterface & { readonly name: string }) | undefined;
} & { readonly [Name in keyof Plain]?: Plain[Name] | undefined };

/** The settings of a service that runs with the simulator. This is the only place that builds them. */
export function serviceSettings(surroundings: ServiceSurroundings): ServiceSettings {
  const { baseUrl, mqtt, simProviders, maker, ...given } = surroundings;
  const told: Partial<Plain> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  return {
    answerTimeoutMs: LIMITS.answer.vehicleMs,
    queues: [],
    ...told,
    baseUrl,
    mqtt,
    simProviders:
      simProviders === undefined
        ? {}
        : Object.fromEntries(
            SIM_PROVIDER_NAMES.map((name) => [
              name,
              { baseUrl: `${simProviders.url}/${name}`, apiKey: simProviders.apiKeys[name] },
            ]),
          ),
    makers: maker === undefined ? {} : { [maker.name]: { baseUrl: maker.baseUrl, apiKey: maker.apiKey } },
  };
}
