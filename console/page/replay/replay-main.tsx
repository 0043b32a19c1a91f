import { render } from 'preact';
import { ReplayPage } from './replay-page.tsx';
import '../style.css';
import './replay.css';

const root = document.getElementById('app');
if (root !== null) render(<ReplayPage />, root);
