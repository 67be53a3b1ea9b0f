/** The page: its head, the flow, the sliders, and the tabs. */
import type { ComponentType } from 'preact';
import { report, reshaped, runs, type Tab, tab } from '../state.js';
import { ChunkList } from './ChunkList.js';
import { Compare } from './Compare.js';
import { Conflicts } from './Conflicts.js';
import { Flow } from './Flow.js';
import { count } from './format.js';
import { Header } from './Header.js';
import { Help } from './Help.js';
import { Notes } from './Notes.js';
import { Sliders } from './Sliders.js';

export function App() {
  if (runs.length === 0) {
    return <p class="note">This page has no run to show. Its data is missing or malformed.</p>;
  }
  return (
    <>
      <Header />
      <main>
        <aside>
          <Sliders />
        </aside>
        <div class="body">
          <Flow />
          <Tabs />
        </div>
      </main>
      <Help />
    </>
  );
}

const PANELS: Record<Tab, ComponentType> = {
  Chunks: ChunkList,
  Differences: Conflicts,
  Notes,
  Compare,
};

function Tabs() {
  const { input, conflicts, degradations, flags } = report.value;
  const numbers: Record<Tab, number | undefined> = {
    Chunks: input.length,
    Differences: conflicts.length,
    Notes: degradations.length + flags.length,
    Compare: undefined,
  };
  const canCompare = runs.length > 1 || reshaped.value !== undefined;
  const names = (Object.keys(PANELS) as Tab[]).filter((name) => name !== 'Compare' || canCompare);
  const now = names.includes(tab.value) ? tab.value : 'Chunks';
  const Panel = PANELS[now];
  const move = (event: KeyboardEvent) => {
    const at = names.indexOf(now);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    tab.value = names.at(next % names.length) as Tab;
    document.getElementById(`tab-${tab.value}`)?.focus();
  };
  return (
    <section id="chunks" aria-label="Details">
      <div class="tabs" role="tablist" aria-label="Details" onKeyDown={move}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={now === name}
            aria-controls="panel"
            tabIndex={now === name ? 0 : -1}
            onClick={() => {
              tab.value = name;
            }}
          >
            {name} {numbers[name] !== undefined && <span class="number">{count(numbers[name])}</span>}
          </button>
        ))}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${now}`}>
        <Panel />
      </div>
    </section>
  );
}
