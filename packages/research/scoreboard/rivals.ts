/** The rivals: the files of `rivals/`, in the order of their kinds. */
import { readdirSync } from 'node:fs';
import { OURS } from './ours.js';
import type { Rival } from './rival.js';

const FOLDER = new URL('./rivals/', import.meta.url);
/** Controls come first, ours last, the others by name between them. */
const FIRST = ['random', 'head', 'tail', 'top-k', 'sentences'];

export async function loadRivals(): Promise<Rival[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  const rivals = await Promise.all(
    files.map(async (file): Promise<Rival> => (await import(new URL(file, FOLDER).href)).default),
  );
  const placeOf = ({ name }: Rival) => {
    const own = (OURS as readonly string[]).indexOf(name);
    return own >= 0 ? 100 + own : (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);
  };
  return rivals.sort((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name, 'en'));
}
