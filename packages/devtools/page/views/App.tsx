/** The page: a line on the conflicts, the context, its flags, the chunks that were left out; then the details, folded. */
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { reshaped, runs } from '../state.js';
import { Compare } from './Compare.js';
import { Conflicts } from './Conflicts.js';
import { Context } from './Context.js';
import { Flags } from './Flags.js';
import { Header } from './Header.js';
import { LeftOut } from './LeftOut.js';
import { Own } from './Own.js';
import { Sliders } from './Sliders.js';
import { Stages } from './Stages.js';

export function App() {
  if (runs.value.length === 0) {
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
          <Conflicts />
          <Context />
          <Flags />
          <LeftOut />
          <Fold title="Stages" content={Stages} />
          {(runs.value.length > 1 || reshaped.value !== undefined) && (
            <Fold title="Compare" content={Compare} />
          )}
          <Own />
        </div>
      </main>
    </>
  );
}

/** A section that is drawn only while it is open. */
function Fold({ title, content: Content }: { title: string; content: ComponentType }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {isOpen && <Content />}
    </details>
  );
}
