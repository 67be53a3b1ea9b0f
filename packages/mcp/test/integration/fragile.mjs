/** Some results are too much for the thread that shapes them: it ends, or never comes to an end. */
import { Hash } from 'node:crypto';

const { update } = Hash.prototype;

// The id of a result is a digest of its texts.
Hash.prototype.update = function (data, ...more) {
  const text = String(data);
  if (text.includes('never ends')) for (;;);
  if (text.includes('ends its thread')) process.exit(1);
  if (text.includes('fills the memory')) fill();
  return update.call(this, data, ...more);
};

function fill() {
  const kept = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => `${at} ${kept.length}`));
}
