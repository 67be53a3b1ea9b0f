/** The inspector: a page that shows what became of every chunk, and shapes again with other options. */
import { render } from 'preact';
import './base.css';
import './style.css';
import { listenToKeys } from './keys.js';
import { App } from './views/App.js';

const root = document.getElementById('context-shaping-inspector');
if (root !== null) {
  render(<App />, root);
  listenToKeys(document);
}
