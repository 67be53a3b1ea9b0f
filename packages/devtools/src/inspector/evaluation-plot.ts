/** The curve of an evaluation as SVG: share of the evidence over the budget, which has a logarithmic axis. */
import type { EvaluationResult, MethodResult } from '../evaluate/index.js';
import { inHtml } from './html.js';

// Each has a contrast of at least 3 with the light and the dark background.
const COLOURS = ['#0f9d6b', '#c2740a', '#3b82f6', '#e0524d', '#a464d9', '#80868f', '#b9892b'];
const DASHES = ['6 4', '2 4', '10 4', '8 3 2 3'];

const [WIDTH, HEIGHT] = [720, 380];
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 16, 14, 46];

function strokeOf(place: number, kind: MethodResult['kind']): string {
  const colour = COLOURS[place % COLOURS.length];
  const dash = kind === 'control' ? ` stroke-dasharray="${DASHES[place % DASHES.length]}"` : '';
  return `stroke="${colour}" stroke-width="${kind === 'options' ? 2.5 : 1.8}"${dash}`;
}

/** The line of a method in the key. */
export const lineSample = (place: number, kind: MethodResult['kind']): string =>
  `<svg viewBox="0 0 34 10" aria-hidden="true"><path d="M0 5H34" fill="none" ${strokeOf(place, kind)}/></svg>`;

export function evaluationPlot({ budgets, budget, methods }: EvaluationResult): string {
  const [first, last] = [budgets[0] as number, budgets.at(-1) as number];
  const span = Math.max(1e-9, Math.log(last / first));
  const x = (value: number) => (LEFT + (Math.log(value / first) / span) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (share: number) => (TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const line = (points: readonly (readonly [number, number])[]) =>
    points.map(([at, share], place) => `${place === 0 ? 'M' : 'L'}${x(at)} ${y(share)}`).join('');
  const shares = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const own = methods[0] as MethodResult;
  const band = [
    ...own.budgets.map((each) => [each.budget, each.evidence.high] as const),
    ...own.budgets.map((each) => [each.budget, each.evidence.low] as const).reverse(),
  ];
  const curves = methods.map(({ kind, budgets: figures }, place) => {
    const points = figures.map((each) => [each.budget, each.evidence.mean] as const);
    const dots = figures
      .map(
        (each) =>
          `<circle cx="${x(each.budget)}" cy="${y(each.evidence.mean)}" r="2.4" fill="${COLOURS[place % COLOURS.length]}"/>`,
      )
      .join('');
    return `<path d="${line(points)}" fill="none" ${strokeOf(place, kind)}/>${dots}`;
  });
  const label = `Evidence kept by budget. At ${budget} tokens: ${methods
    .map(({ name, budgets: figures }) => {
      const share = figures.find((each) => each.budget === budget)?.evidence.mean as number;
      return `${name} ${(100 * share).toFixed(1)} per cent`;
    })
    .join(', ')}.`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${inHtml(label)}">
${shares.map((share) => `<path class="grid" d="M${LEFT} ${y(share)}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${y(share)}" dy="4" text-anchor="end">${100 * share} %</text>`).join('')}
<path class="target" d="M${LEFT} ${y(0.95)}H${WIDTH - RIGHT}"/>
<path class="budget" d="M${x(budget)} ${TOP}V${HEIGHT - BOTTOM}"/>
${ticksOf(first, last)
  .map(
    (tick) =>
      `<text x="${x(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
  )
  .join('')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">budget in tokens</text>
<path d="${line(band)}Z" fill="${COLOURS[0]}" fill-opacity="0.15"/>
${curves.reverse().join('\n')}
</svg>`;
}

/** 1, 2 and 5 times powers of ten; without one between the ends, the ends. */
function ticksOf(first: number, last: number): number[] {
  const ticks: number[] = [];
  for (let power = 1; power <= last; power *= 10)
    for (const factor of [1, 2, 5])
      if (power * factor >= first && power * factor <= last) ticks.push(power * factor);
  return ticks.length > 0 ? ticks : [...new Set([first, last])];
}
