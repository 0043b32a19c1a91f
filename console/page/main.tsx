import { render } from 'preact';
import { App } from './app.tsx';
import { watchFleet } from './state/fleet.ts';
import './style.css';

const root = document.getElementById('app');
if (root !== null) {
  watchFleet();
  render(<App />, root);
}
