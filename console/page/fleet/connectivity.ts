import type { Connectivity } from '../../stream/fleet-changes.ts';

/** How a state is shown: colours that are told apart without colour vision (Okabe and Ito), and a sign beside them. */
export const CONNECTIVITY_LOOKS: Readonly<
  Record<Connectivity, { readonly colour: string; readonly sign: string; readonly meaning: string }>
> = {
  ready: { colour: '#009e73', sign: '●', meaning: 'takes commands' },
  connected: { colour: '#56b4e9', sign: '◕', meaning: 'has a session, and is not asked yet' },
  connecting: { colour: '#e69f00', sign: '◐', meaning: 'is opening a session' },
  offline: { colour: '#d55e00', sign: '○', meaning: 'has power and no session' },
  off: { colour: '#8a8a8a', sign: '×', meaning: 'has no power' },
};
