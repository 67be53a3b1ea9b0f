/**
 * Writes the files that are derived from the schemas: the tables of options in the README, their interfaces for
 * editors, report.schema.json and options.schema.json. It also compiles the kernel of src/math/gram/gram.ts. A test fails
 * when one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { cragOptionsSchema } from '../adapters/crag/options/options.js';
import { jsonOptionsSchema } from '../adapters/http/json-options.js';
import { serviceOptionsSchema } from '../adapters/http/options.js';
import { createCragGraph } from '../adapters/langgraph/crag-graph.js';
import { optionsSchema } from '../src/input/options.js';
import { gramHeader, gramModule } from './gram-module.js';
import { reportSchema } from './report-schema.js';

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  default?: unknown;
  description?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

/** The types that a schema in JSON cannot express, by option. */
const CODE_TYPES: Readonly<Record<string, string>> = {
  tokenizer: '`"estimate"`, `"upper-bound"`, `"characters/4"`, `"o200k_base"`, `"cl100k_base"`, function',
  embedder: 'Embedder',
  'ecs.model': 'LogprobModel',
  'ecs.judge': 'Judge',
  'ecs.profile': 'profile',
  'ecs.prompt': 'function',
  pin: 'ids, function',
  trust: 'list of `{ value, k?, maxTokens? }`',
  stages: 'function',
  onReport: 'function',
  onEvict: 'function',
  onStage: 'function',
  grader: '`"relevance"`, `"ecs"`, Grader',
  webSearch: 'function, tool, retriever',
  rewrite: 'function',
  'review.on': '`"before-search"`, `"ambiguous"`, `"incorrect"`, `"conflict"`',
  'review.onReview': 'function',
  setup: 'path; with `workers: 0` also an object',
  apiKeys: 'list of `{ name, sha256 }`',
  cors: 'list of origins',
};

/** Defaults that are not the same everywhere. */
const INITIALS: Readonly<Record<string, string>> = { workers: 'one a core' };

/** Values beside an object, where they are not just `false`. */
const SWITCHES: Readonly<Record<string, string>> = { review: '`true`, `false`' };

const jsonSchema = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema;

export const optionsTable = () => tableOf(optionsSchema());
const cragOptionsTable = () => tableOf(cragOptionsSchema);
const serviceOptionsTable = () => tableOf(serviceOptionsSchema);

function tableOf(schema: z.core.$ZodType): string {
  const rows = rowsOf(jsonSchema(schema), '');
  return ['| option | values | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function rowsOf(schema: JsonSchema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const nested = property.properties ? property : property.anyOf?.find((option) => option.properties);
    if (nested === undefined || name in CODE_TYPES) return [row(name, property)];
    const initial = typeof property.default === 'boolean' ? code(property.default) : 'on';
    const off = property.anyOf
      ? [`| \`${name}\` | ${SWITCHES[name] ?? '`false`'}, object | ${initial} | ${property.description} |`]
      : property.description
        ? [`| \`${name}\` | object | – | ${property.description} |`]
        : [];
    return [...off, ...rowsOf(nested, `${name}.`)];
  });
}

function row(name: string, property: JsonSchema): string {
  const initial = INITIALS[name] ?? (property.default === undefined ? '–' : code(property.default));
  const cells = [`\`${name}\``, CODE_TYPES[name] ?? values(property), initial, property.description ?? ''];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function values(property: JsonSchema): string {
  if (property.enum) return property.enum.map(code).join(', ');
  if (property.const !== undefined) return code(property.const);
  if (property.anyOf) {
    const options = property.anyOf.filter((option) => option.type !== 'null');
    return options.map(values).join(', ');
  }
  if (property.type === 'array') return 'array';
  const from = property.exclusiveMinimum === undefined ? property.minimum : `>${property.exclusiveMinimum}`;
  const to = property.maximum === undefined || property.maximum >= 2 ** 31 - 1 ? '' : property.maximum;
  if (property.type === 'integer') return `whole number, ${from}..${to}`;
  if (typeOfValue(property) === 'number') return from === undefined ? 'number' : `${from}..${to}`;
  return typeOfValue(property) ?? 'any';
}

/** `null` counts as absent everywhere. */
const typeOfValue = ({ type }: JsonSchema) =>
  Array.isArray(type) ? type.find((each) => each !== 'null') : type;

const code = (value: unknown) => `\`${JSON.stringify(value)}\``;

/** Types that JSON has no name for, by option. */
const TYPES: Readonly<Record<string, string>> = {
  tokenizer: "'estimate' | 'upper-bound' | 'characters/4' | 'o200k_base' | 'cl100k_base' | TokenCounter",
  embedder: 'Embedder',
  'ecs.model': 'LogprobModel',
  'ecs.judge': 'Judge',
  'ecs.profile': 'EcsProfile',
  'ecs.prompt': '((input: PromptInput) => string)',
  pin: 'string[] | ((chunk: Chunk) => boolean)',
  trust: 'TrustTier[]',
  stages: '((defaults: readonly DefaultStage[]) => readonly (DefaultStage | Stage)[])',
  onReport: '((report: ShapingReport) => void | Promise<void>)',
  onEvict: '((eviction: Eviction) => void | Promise<void>)',
  onStage: '((event: StageEvent) => void | Promise<void>)',
  grader: "'relevance' | 'ecs' | Grader",
  webSearch: 'WebSearchLike',
  rewrite: 'Rewrite',
  'review.on': 'ReviewReason[]',
  'review.onReview': 'OnReview',
};

/** The options as an interface: what editors show, with every description and default. */
export function optionsInterface(): string {
  return `// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { PromptInput } from '../ecs/prompt.js';
import type { StageEvent } from '../types.js';
import type { Embedder, Judge, LogprobModel, TokenCounter } from '../ports.js';
import type { ShapingReport } from '../types.js';
import type { DefaultStage, Stage } from '../stage.js';
import type { Chunk, EcsProfile, Eviction, TrustTier } from '../types.js';

/** What a caller may write. Everything is optional. */
export interface ShapingOptions ${members(jsonSchema(optionsSchema()), '', '')}
`;
}

export function cragOptionsInterface(): string {
  return `// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { ReviewReason } from './record.js';
import type { Grader, OnReview, Rewrite } from './types.js';
import type { WebSearchLike } from './web-search/search-kind.js';

/** Options of corrective retrieval. All are optional: by default words alone grade, and the graph neither searches nor asks a person. */
export interface CragOptions ${members(jsonSchema(cragOptionsSchema), '', '')}
`;
}

function members(schema: JsonSchema, prefix: string, indent: string): string {
  const lines = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const fallback = property.default === undefined ? '' : ` Default ${code(property.default)}.`;
    const doc = property.description ? [`${indent}  /** ${property.description}${fallback} */`] : [];
    return [...doc, `${indent}  ${key}?: ${typeOf(property, name, `${indent}  `)} | undefined;`];
  });
  return ['{', ...lines, `${indent}}`].join('\n');
}

function typeOf(property: JsonSchema, name: string, indent: string): string {
  if (TYPES[name] !== undefined) return TYPES[name];
  if (property.enum) return property.enum.map((value) => `'${value}'`).join(' | ');
  if (property.const !== undefined)
    return typeof property.const === 'string' ? `'${property.const}'` : String(property.const);
  if (property.anyOf) return property.anyOf.map((option) => typeOf(option, `${name}#`, indent)).join(' | ');
  if (property.properties && Object.keys(property.properties).length === 0) return 'Record<string, never>';
  if (property.properties) return members(property, `${name.replace('#', '')}.`, indent);
  if (property.type === 'array') return `${typeOf(property.items ?? {}, name, indent)}[]`;
  const nullable = Array.isArray(property.type) ? ' | null' : '';
  return property.type === 'integer' ? 'number' : `${typeOfValue(property) ?? 'unknown'}${nullable}`;
}

/** With its tables of options, and the drawing of the graph. */
export function readmeWithTable(readme: string): string {
  const parts: Readonly<Record<string, string>> = {
    options: optionsTable(),
    'crag-options': cragOptionsTable(),
    'service-options': serviceOptionsTable(),
    'crag-graph': `\`\`\`mermaid\n${createCragGraph().getGraph().drawMermaid()}\`\`\``,
  };
  return readme.replace(
    /<!-- ([\w-]+):start -->[\s\S]*<!-- \1:end -->/g,
    (_, name) => `<!-- ${name}:start -->\n${parts[name]}\n<!-- ${name}:end -->`,
  );
}

export function reportJsonSchema(): string {
  return `${JSON.stringify({ $id: 'context-shaping/report.schema.json', title: 'ShapingReport', ...z.toJSONSchema(reportSchema) }, null, 2)}\n`;
}

/** Options that come as JSON. Those of them that are functions or services have no such form, and are not in it. */
export function optionsJsonSchema(): string {
  const description =
    'The options of createShaper that JSON can express: functions and services, such as embedder, ecs.model, stages and onReport, are left out.';
  const head = { $id: 'context-shaping/options.schema.json', title: 'ShapingOptions', description };
  return `${JSON.stringify({ ...head, ...jsonOptionsSchema }, null, 2)}\n`;
}

if (process.argv[1]?.endsWith('generate.ts')) {
  writeFileSync('README.md', readmeWithTable(readFileSync('README.md', 'utf8')));
  writeFileSync('src/input/shaping-options.ts', optionsInterface());
  writeFileSync('adapters/crag/crag-options.ts', cragOptionsInterface());
  writeFileSync('report.schema.json', reportJsonSchema());
  writeFileSync('options.schema.json', optionsJsonSchema());
  // Compiled only if its sources changed: the compiler is not installed everywhere.
  const gram = 'src/math/gram/simd-module.ts';
  if (!readFileSync(gram, 'utf8').startsWith(gramHeader())) writeFileSync(gram, gramModule());
}
