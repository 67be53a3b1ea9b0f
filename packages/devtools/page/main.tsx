/** The inspector: a page that shows the context and what became of every chunk, and shapes again with other options. */
import { render } from 'preact';
import './base.css';
import './style.css';
import { change } from './state.js';
import { App } from './views/App.js';

const root = document.getElementById('context-shaping-inspector');
if (root !== null) {
  render(<App />, root);
  // The texts of the context, as the library cuts them.
  void change({});
}
