import { render } from 'preact';
import { App } from './app.tsx';
import { watchFleet } from './state/fleet.ts';
import { watchLiveness } from './state/liveness.ts';
import './style.css';

const root = document.getElementById('app');
if (root !== null) {
  watchFleet();
  watchLiveness();
  render(<App />, root);
}
