/** An embedder that some texts are too much for: its thread ends, or never answers. */
import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const { MARKER } = process.env;

async function embed(texts, { signal } = {}) {
  const all = texts.join('\n');
  if (all.includes('ends every thread')) process.exit(1);
  if (all.includes('ends one thread') && isFirst()) process.exit(1);
  if (all.includes('fills the memory of one thread') && isFirst()) fill();
  while (all.includes('never answers'));
  if (all.includes('waits to be told')) await setTimeout(3_600_000, undefined, { signal });
  if (all.includes('takes a while')) await setTimeout(300);
  return texts.map((text) => [1, text.length]);
}

function isFirst() {
  try {
    closeSync(openSync(MARKER, 'wx'));
    return true;
  } catch {
    return false;
  }
}

function fill() {
  const kept = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => `${at} ${kept.length}`));
}

export default async () => ({ embedder: { embed } });
