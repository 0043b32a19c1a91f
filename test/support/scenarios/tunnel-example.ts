/** The example of docs/scenarios.md, unchanged. */
export const TUNNEL = `name: tunnel
about: Three cars lose coverage in a tunnel; what they recorded arrives afterwards, once, in order.
seed: 7
fleet:
  - { count: 3, model: petrol-compact, firmware: "2.31", driving: true }
steps:
  - { at: 0s, drive: { route: city-loop } }
  - { at: 2m, weather: { coverage: none }, for: 90s }
  - at: 2m30s
    call: { command: unlock-central-lock }
    expect: { status: 504, problem: /problems/vehicle/no-connection }
  - { within: 60s, expect: { message: VehicleStateReceived, with: { occurred_during: weather } } }
always: [nothing-lost, nothing-doubled, order-per-box, twin-is-fold]
vary:
  steps[1].for: 1m..10m
  fleet[0].firmware: ["2.10", "2.23", "2.24", "2.40"]
`;
