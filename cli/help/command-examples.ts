import type { Command } from 'commander';

/** Two examples of each command, for the end of its help. */
export const EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  up: ['boxtwin up', 'boxtwin up -n 100 --weather storm --fresh'],
  brokers: ['boxtwin brokers', 'boxtwin brokers --mqtt-port 1884 --data twin'],
  backend: ['boxtwin backend --data twin', 'boxtwin backend --mqtt mqtts://broker.example --amqp none'],
  fleet: ['boxtwin fleet --data twin', 'boxtwin fleet -n 25 --write-credentials boxes.csv'],
  doctor: ['boxtwin doctor', 'boxtwin doctor -n 5000 --data twin'],
  config: ['boxtwin config up', 'boxtwin config fleet --config settings.yaml'],
  status: ['boxtwin status', 'boxtwin status --json --data twin'],
  vehicles: ['boxtwin vehicles', 'boxtwin vehicles 77B5C --json'],
  do: ['boxtwin do 8B13V drive pace=0.8', 'boxtwin do 8B13V coverage none --for 90s'],
  api: [
    "boxtwin api get '/vehicles?limit=3'",
    'boxtwin api post /vehicles/8B13V/commands/unlock-central-lock',
  ],
  token: ['boxtwin token', 'curl -H "Authorization: Bearer $(boxtwin token)" http://127.0.0.1:8080/vehicles'],
  env: ['eval "$(boxtwin env)"', 'boxtwin env --plain > .env'],
  open: ['boxtwin open', 'boxtwin open --docs'],
  tail: ['boxtwin tail --vehicle 8B13V', 'boxtwin tail --type DamageDetected --json --count 1'],
  wire: ['boxtwin wire 8B13V', 'boxtwin wire 8B13V --json --count 10'],
  replay: ['boxtwin scenario run tunnel --trace trace.ndjson', 'boxtwin replay trace.ndjson'],
  ledger: ['boxtwin ledger', 'boxtwin ledger --messages messages.ndjson'],
  'scenario run': ['boxtwin scenario run tunnel', 'boxtwin scenario run stories --report junit=report.xml'],
  'scenario explore': [
    'boxtwin scenario explore tunnel',
    'boxtwin scenario explore my.yaml --runs 200 --seed 1',
  ],
  'scenario coverage': [
    'boxtwin scenario coverage stories',
    'boxtwin scenario coverage --runs 20 --report html=coverage.html',
  ],
  'scenario list': ['boxtwin scenario list', 'boxtwin scenario list --json'],
  'scenario new': ['boxtwin scenario new my.yaml', 'boxtwin scenario new my-tunnel.yaml --from tunnel'],
  'scenario check': ['boxtwin scenario check my.yaml', 'boxtwin scenario check stories --json'],
  'scenario from-trace': [
    'boxtwin scenario from-trace trace.ndjson',
    'boxtwin scenario from-trace trace.ndjson --connectivity -o again.yaml',
  ],
  'scenario schema': ['boxtwin scenario schema', 'boxtwin scenario schema -o scenario.schema.json'],
  swarm: ['boxtwin swarm --minutes 5', 'boxtwin swarm --running --minutes 2 -o swarm.yaml'],
  provoke: ['boxtwin provoke no-connection', 'boxtwin provoke --list'],
  'certify-client': [
    'boxtwin certify-client -- node my-client.js',
    'boxtwin certify-client --only back-off -o junit=report.xml -- node my-client.js',
  ],
  certify: [
    'boxtwin certify --list',
    'boxtwin certify --boxes theirs --mqtt mqtt://backend:PASSWORD@broker.example',
  ],
  'store migrate': [
    'boxtwin store migrate --store postgres://user@db/twin',
    'boxtwin store migrate --store postgres://user@db/twin --store-ca ca.pem',
  ],
  'store check': [
    'boxtwin store check --store sqlite:.boxtwin/backend.sqlite',
    'boxtwin store check --store postgres://user@db/twin --json',
  ],
  'store copy': [
    'boxtwin store copy --from sqlite:.boxtwin/backend.sqlite --to postgres://user@db/twin',
    'boxtwin store copy --from sqlite:twin.sqlite --to postgres://user@db/twin -q',
  ],
  'model from-dbc': [
    'boxtwin model from-dbc car.dbc',
    'boxtwin model from-dbc car.dbc --name roadster -o roadster.yaml',
  ],
  'model check': ['boxtwin model check roadster.yaml', 'boxtwin model check roadster.yaml --json'],
  'model schema': ['boxtwin model schema', 'boxtwin model schema -o model.schema.json'],
  examples: ['boxtwin examples', 'boxtwin examples twin-examples'],
  completion: [
    'source <(boxtwin completion bash)',
    'boxtwin completion bash > ~/.local/share/bash-completion/completions/boxtwin',
  ],
};

/** Adds its examples to the help of each command below this one. Throws where a command has none. */
export function addExamples(parent: Command, unlisted: readonly string[], above = ''): void {
  for (const command of parent.commands) {
    if (unlisted.includes(command.name())) continue;
    const name = `${above}${command.name()}`;
    if (command.commands.length > 0) {
      addExamples(command, unlisted, `${name} `);
      continue;
    }
    const examples = EXAMPLES[name];
    if (examples === undefined) throw new Error(`The command ${name} has no row in command-examples.ts.`);
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
  }
}
