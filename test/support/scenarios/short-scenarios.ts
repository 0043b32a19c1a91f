/** A short scenario that passes. */
export const GOOD = `name: short-cut
about: A car loses its connection for a moment and comes back.
seed: 7
fleet:
  - { count: 1, model: petrol-compact }
steps:
  - { at: 5s, weather: cut }
  - { within: 60s, expect: { connected: true } }
always: [nothing-lost]
`;

/** The same with an expectation that cannot be met. */
export const FAILING = GOOD.replace(
  'within: 60s, expect: { connected: true }',
  'within: 1s, expect: { journal: { above: 9999 } }',
);
