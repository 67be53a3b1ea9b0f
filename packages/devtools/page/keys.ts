/** The keys of the page. In a field only Escape counts. */
import { goTo, moveCursor, replacement, showsHelp } from './state.js';
import { toggleTheme } from './theme.js';

interface Key {
  keys: readonly string[];
  effect: string;
  press?: () => void;
}

export const KEYS: readonly Key[] = [
  { keys: ['j', '↓'], effect: 'next chunk', press: () => moveCursor(1) },
  { keys: ['k', '↑'], effect: 'previous chunk', press: () => moveCursor(-1) },
  { keys: ['Enter'], effect: 'open or close the chunk' },
  { keys: ['r'], effect: 'go to the chunk that stayed in its place', press: goToReplacement },
  { keys: ['/'], effect: 'search', press: search },
  { keys: ['t'], effect: 'dark or light', press: toggleTheme },
  { keys: ['?'], effect: 'these keys', press: () => (showsHelp.value = true) },
  { keys: ['Escape'], effect: 'leave a field, close these keys' },
];

const ALIASES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' };

export function listenToKeys(document: Document): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const element = target as HTMLElement;
    const isField = element.matches('input:not([type=checkbox]), select, textarea');
    if (key === 'Escape' && isField) return element.blur();
    if (isField || ctrlKey || metaKey || altKey || showsHelp.value) return;
    const found = KEYS.find(({ keys, press }) => press && keys.includes(ALIASES[key] ?? key));
    if (found === undefined) return;
    event.preventDefault();
    found.press?.();
  });
}

function search(): void {
  document.getElementById('search')?.focus();
}

function goToReplacement(): void {
  const kept = replacement.value;
  if (kept !== undefined) goTo(kept.index);
}
