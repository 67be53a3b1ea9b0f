/** The form of the playground, and the options that it stands for. */
import type { ShapingOptions } from 'context-shaping';

export interface Form {
  maxTokens: string;
  reserve: string;
  k: string;
  pin: string;
  maxDistance: string;
  lambda: string;
  ranked: 'auto' | 'yes' | 'no';
  order: 'relevance' | 'input' | 'source' | 'edges-first';
  tokenizer: 'estimate' | 'characters/4' | 'o200k_base' | 'cl100k_base';
  sanitise: 'off' | 'strip' | 'escape';
  extract: boolean;
  semanticDedup: boolean;
  flag: boolean;
}

export const initialForm = (): Form => ({
  maxTokens: '1500',
  reserve: '',
  k: '',
  pin: '',
  maxDistance: '',
  lambda: '',
  ranked: 'auto',
  order: 'relevance',
  tokenizer: 'estimate',
  sanitise: 'off',
  extract: true,
  semanticDedup: true,
  flag: true,
});

/** The field of the form for each option, so that an error of the library stands beside it. */
export const FIELD_OF: Readonly<Record<string, keyof Form>> = {
  'budget.maxTokens': 'maxTokens',
  'budget.reserve': 'reserve',
  k: 'k',
  pin: 'pin',
  'semanticDedup.maxDistance': 'maxDistance',
  'select.lambda': 'lambda',
};

/** A value that is no number stays a text, and the library reports it. */
const number = (text: string) => {
  const value = Number(text.trim());
  return (Number.isNaN(value) ? text.trim() : value) as number;
};
const given = (text: string) => text.trim() !== '';

/** Most characters of a statement that differs from another one. */
const EXCERPT = 120;

/** The options that differ from their defaults. */
export function optionsOf(form: Form): ShapingOptions {
  const budget = {
    ...(given(form.maxTokens) ? { maxTokens: number(form.maxTokens) } : {}),
    ...(given(form.reserve) ? { reserve: number(form.reserve) } : {}),
  };
  return {
    ...(Object.keys(budget).length > 0 ? { budget } : {}),
    ...(given(form.k) ? { k: number(form.k) } : {}),
    ...(form.ranked === 'auto' ? {} : { ranked: form.ranked === 'yes' }),
    ...(form.tokenizer === 'estimate' ? {} : { tokenizer: form.tokenizer }),
    ...(given(form.pin) ? { pin: form.pin.split(',').map((id) => id.trim()) } : {}),
    ...(form.sanitise === 'off' ? {} : { sanitise: form.sanitise }),
    ...(form.flag ? {} : { flag: false as const }),
    ...(form.semanticDedup
      ? given(form.maxDistance)
        ? { semanticDedup: { maxDistance: number(form.maxDistance) } }
        : {}
      : { semanticDedup: false as const }),
    ...(given(form.lambda) ? { select: { lambda: number(form.lambda) } } : {}),
    ...(form.extract ? {} : { extract: false as const }),
    ...(form.order === 'relevance' ? {} : { order: form.order }),
    preview: EXCERPT,
  };
}

/** The same call as a program. `chunks.json` is what the page saves. */
export function programOf(query: string, options: ShapingOptions): string {
  const written = Object.keys(options).length === 0 ? '' : literal(options, '');
  return [
    "import { createShaper } from 'context-shaping';",
    "import { formatReport } from 'context-shaping/explain';",
    "import retrieved from './chunks.json' with { type: 'json' };",
    '',
    `const shaper = createShaper(${written});`,
    'const { chunks, report } = await shaper.shape({',
    `  query: ${text(query)},`,
    '  chunks: retrieved,',
    '});',
    '',
    "console.log(chunks.map((chunk) => chunk.text).join('\\n\\n'));",
    'console.log(formatReport(report));',
    '',
  ].join('\n');
}

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([key, each]) => `${inner}${key}: ${literal(each, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

const text = (value: string) =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
