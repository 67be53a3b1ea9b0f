/**
 * The costliest texts that a search finds for each public function that takes a text: `npm run research --
 * measure/costs/texts [--only EXPRESSION] [--shapes EXPRESSION] [--small 100000] [--limit 120]`
 *
 * Every shape is read in the size `--small`; the costliest ones also in four times that size, and compared with ordinary text
 * of it, and with a quarter of themselves. Times are processor time of a process that is ended after `--limit` seconds, so
 * that a text without an end has a name.
 */
import { parseArgs } from 'node:util';
import { allCases, type Bounds, Runner, worstOf } from './search.js';
import { SHAPES } from './shapes.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shapes: { type: 'string', default: '' },
    small: { type: 'string', default: '100000' },
    limit: { type: 'string', default: '120' },
  },
});
const small = Number(values.small);
const bounds: Bounds = { ratio: 10, growth: 5, least: 25, sizes: [small, 4 * small] };
const shapes = Object.keys(SHAPES).filter((name) => new RegExp(values.shapes).test(name));
const runner = new Runner(Number(values.limit));
let isOver = false;
for (const each of allCases()) {
  const name = each.join(' ');
  if (!new RegExp(values.only).test(name)) continue;
  const { ratio, ratioOf, growth, growthOf } = await worstOf(
    each,
    runner,
    bounds,
    shapes,
    (shape, ...found) => {
      const [over, grown, ms] = found;
      if (over <= bounds.ratio && grown <= bounds.growth) return;
      isOver = true;
      console.log(
        `  ${name}, ${shape}: ${over.toFixed(1)} times, growth ${grown.toFixed(1)}, ${ms.toFixed(0)} ms`,
      );
    },
  );
  console.log(`${name}: ${ratio.toFixed(1)} (${ratioOf}), growth ${growth.toFixed(1)} (${growthOf})`);
}
runner.close();
process.exitCode = isOver ? 1 : 0;
