/** The page: a line on the contradictions, the context, its flags, the chunks that were left out; then the details, folded. */
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { cursor, reshaped, runs } from '../state.js';
import { Compare } from './Compare.js';
import { Conflicts } from './Conflicts.js';
import { Context } from './Context.js';
import { Flags } from './Flags.js';
import { Header } from './Header.js';
import { Help } from './Help.js';
import { LeftOut } from './LeftOut.js';
import { Own } from './Own.js';
import { Sliders } from './Sliders.js';
import { Stages } from './Stages.js';

export function App() {
  useCursor();
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
      <Help />
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

/** Moves the focus to the chunk that the keyboard is on. */
function useCursor() {
  const last = useRef(cursor.value);
  useEffect(() => {
    if (cursor.value === last.current) return;
    last.current = cursor.value;
    const head = document.querySelector<HTMLElement>(`#chunk-${cursor.value} > .chunk-head`);
    if (head !== null && document.activeElement !== head) head.focus();
  }, [cursor.value]);
}
