import { readFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileOnPage } from '../support/docs/page-files.ts';
import { type StepEnd, stepsOf, walkPage } from '../support/docs/page-walk.ts';
import { makeReaderFolder, type ReaderFolder } from '../support/docs/reader-folder.ts';
import {
  bashShell,
  bothOf,
  mosquitto,
  postgres,
  rabbitmqManagement,
  withService,
} from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';

/** What a tutorial has here in place of what stands on its page: settings as variables, texts as other texts. */
interface Differences {
  readonly variables?: Readonly<Record<string, string>>;
  readonly changes?: Readonly<Record<string, string>>;
}

/** Does what the tutorial says in a new folder; each step of the page is a test. */
function walk(name: string, bash: string, differences: () => Promise<Differences>): void {
  describe(`docs/tutorials/${name}.md, as a reader follows it`, () => {
    const page = readFileSync(new URL(`../../docs/tutorials/${name}.md`, import.meta.url), 'utf8');
    const steps = stepsOf(page);
    let folder: ReaderFolder;
    let ends: readonly StepEnd[] = [];

    beforeAll(async () => {
      folder = makeReaderFolder();
      const { variables, changes } = await differences();
      ends = await walkPage(stepsOf(page, changes), {
        bash,
        folder: folder.path,
        environment: { ...folder.environment, ...variables },
        deadlineMs: 200_000,
      });
    }, 300_000);
    afterAll(() => folder.remove());

    test.each(steps.map((step, index) => ({ ...step, index })))('$name', ({ index }) => {
      const end = ends[index];
      expect(end, 'It was not reached.').toBeDefined();
      expect(end?.difference, `${end?.output}\n${end?.errors}`).toBeUndefined();
    });
  });
}

async function portsFor(ports: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const pairs: [string, string][] = [];
  for (const port of ports) pairs.push([port, String(await freePort())]);
  return Object.fromEntries(pairs);
}

await withService(bashShell, ({ bash }) => {
  walk('first-failing-scenario', bash, async () => ({}));
  walk('testing-a-client', bash, async () => ({}));
  walk('a-thousand-vehicles', bash, async () => {
    const changes = await portsFor(['8080', '8090']);
    return {
      changes,
      variables: {
        BOXTWIN_VEHICLES: '120',
        BOXTWIN_PORT: changes['8080'] ?? '',
        BOXTWIN_SIMULATOR_PORT: changes['8090'] ?? '',
        BOXTWIN_MQTT_PORT: String(await freePort()),
        BOXTWIN_AMQP_PORT: String(await freePort()),
        BOXTWIN_AMQPS_PORT: String(await freePort()),
        BOXTWIN_CONSOLE: 'off',
      },
    };
  });
});

await withService(
  bothOf(bashShell, bothOf(postgres, bothOf(mosquitto, rabbitmqManagement))),
  ([{ bash }, [database, [, rabbit]]]) => {
    test('the access list of the tutorial is that of docs/mqtt-brokers.md', () => {
      expect(fileOnPage('docs/tutorials/several-machines.md', 'boxtwin.acl')).toBe(
        fileOnPage('docs/mqtt-brokers.md', 'boxtwin.acl'),
      );
    });

    walk('several-machines', bash, async () => {
      const name = `tutorial_${process.pid}`;
      const at = (url: string, path: string) => Object.assign(new URL(url), { pathname: path }).href;
      return {
        changes: {
          ...(await portsFor(['1884', '8081', '8082', '8091', '8092'])),
          'postgres://postgres@127.0.0.1:5432/twin': at(database.url, name),
          'postgres://postgres@127.0.0.1:5432/postgres': database.url,
          'database twin': `database ${name}`,
          'amqp://guest:guest@127.0.0.1:5672/twin': at(rabbit.url, name),
          '-u guest:guest': `-u ${new URL(rabbit.adminUrl).username}:${new URL(rabbit.adminUrl).password}`,
          'http://127.0.0.1:15672/api/vhosts/twin': `${new URL(rabbit.adminUrl).origin}/api/vhosts/${name}`,
          // Without it a Mosquitto that root starts could not read the files of this folder.
          'acl_file boxtwin.acl\n': 'acl_file boxtwin.acl\nuser root\n',
        },
      };
    });
  },
);
