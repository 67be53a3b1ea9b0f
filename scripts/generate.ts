/**
 * Writes the files that are derived from the schemas: the tables in the documents, the interfaces of the options for
 * editors, report.schema.json, options.schema.json, llms.txt, and the meanings of reasons for pages. It also compiles the
 * kernel of src/math/gram/gram.ts. A test fails when one is out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { EXIT_CODES } from '../adapters/cli/errors.js';
import { CAUSES } from '../adapters/explain/index.js';
import { createCragGraph } from '../adapters/langgraph/crag-graph.js';
import { cragOptionsSchema } from '../adapters/langgraph/options.js';
import { serviceOptionsSchema } from '../packages/server/src/http/options.js';
import { optionsSchema } from '../src/input/options.js';
import {
  agentSentence,
  claimsTable,
  keptSentence,
  keptTable,
  peersTable,
  realKeptTable,
  recommendedBudgets,
  timesTable,
} from './figures.js';
import { gramHeader, gramModule } from './gram-module.js';
import { llmsIndex } from './llms.js';
import { reportSchema } from './report-schema.js';

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  default?: unknown;
  description?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

/** The types that a schema in JSON cannot express, by option. */
const CODE_TYPES: Readonly<Record<string, string>> = {
  tokenizer: '`"estimate"`, `"characters/4"`, `"o200k_base"`, `"cl100k_base"`, function',
  embedder: 'Embedder',
  'ecs.model': 'LogprobModel',
  'ecs.judge': 'Judge',
  'ecs.profile': 'profile',
  'ecs.prompt': 'function',
  telemetry: 'Telemetry',
  'conflicts.prefer': '`"newest"`, `"trusted"`, `"majority"`, metadata path',
  pin: 'ids, function',
  trust: 'list of `{ value, k?, maxTokens? }`',
  stages: 'function',
  onReport: 'function',
  onEvict: 'function',
  onStage: 'function',
  grader: '`"relevance"`, `"ecs"`, Grader',
  webSearch: 'function',
  rewrite: 'function',
  'review.on': '`"before-search"`, `"ambiguous"`, `"incorrect"`, `"conflict"`',
  setup: 'path; with `workers: 0` also an object',
  apiKeys: 'list of `{ name, sha256 }`',
};

/** Defaults that are not the same everywhere. */
const INITIALS: Readonly<Record<string, string>> = { workers: 'one a core' };

/** Values beside an object, where they are not just `false`. */
const SWITCHES: Readonly<Record<string, string>> = { review: '`true`, `false`' };

const jsonSchema = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema;

const optionsTable = () => tableOf(optionsSchema());

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

const reportSchemaInJson = () => z.toJSONSchema(reportSchema) as JsonSchema;

/** The fields of the report, with those of its lists. If entries have several forms: the fields that all forms have. */
function reportTable(): string {
  return ['| field | type | meaning |', '|---|---|---|', ...fieldRows(reportSchemaInJson(), '')].join('\n');
}

function fieldRows(schema: JsonSchema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const optional = schema.required?.includes(key) ? '' : ', optional';
    const { items } = property;
    const forms = items?.oneOf;
    const nested = forms ? commonOf(forms) : (items ?? property);
    const type = `${typeOfField(property)}${optional}`;
    return [
      `| \`${name}\` | ${type} | ${property.description ?? ''} |`,
      ...fieldRows(nested, items ? `${name}[].` : `${name}.`),
    ];
  });
}

/** The forms without their own fields. */
function commonOf(forms: readonly JsonSchema[]): JsonSchema {
  const [first, ...others] = forms as [JsonSchema, ...JsonSchema[]];
  const shared = Object.entries(first.properties ?? {}).filter(
    ([key, { const: own }]) => own === undefined && others.every(({ properties = {} }) => key in properties),
  );
  return { ...first, properties: Object.fromEntries(shared) };
}

/** The forms of the entries of a list, by the field that tells them apart, each with its own fields. */
function formsTable(list: JsonSchema | undefined, by: string): string {
  const forms = list?.items?.oneOf ?? [];
  const shared = commonOf(forms).properties ?? {};
  const rows = forms.map(({ properties = {}, required = [] }) => {
    const own = Object.entries(properties).filter(([key]) => key !== by && !(key in shared));
    const fields = own.map(([key, { description }]) => {
      const optional = required.includes(key) ? '' : ' (optional)';
      return `\`${key}\`${optional}: ${description?.replace(/\.$/, '')}`;
    });
    const { const: name, description } = properties[by] as JsonSchema;
    return `| \`${name}\` | ${description} | ${fields.join('; ') || '–'} |`;
  });
  return [`| \`${by}\` | meaning | fields of its own |`, '|---|---|---|', ...rows].join('\n');
}

function typeOfField(property: JsonSchema): string {
  const { items, prefixItems, anyOf, properties } = property;
  if (property.enum) return property.enum.map(code).join(', ');
  if (property.const !== undefined) return code(property.const);
  if (anyOf) return anyOf.map(typeOfField).join(' or ');
  if (prefixItems) return `pair of ${plural(prefixItems[0] as JsonSchema)}`;
  if (items) return `list of ${plural(items)}`;
  if (property.type === 'object') return properties ? 'object' : 'record';
  return property.type === 'integer' ? 'whole number' : (typeOfValue(property) ?? 'any');
}

function plural(items: JsonSchema): string {
  if (items.properties || items.oneOf) return 'objects';
  return items.enum ? typeOfField(items) : typeOfField(items).replace(/^\w+(?: number)?/, '$&s');
}

/** Types that JSON has no name for, by option. */
const TYPES: Readonly<Record<string, string>> = {
  tokenizer: "'estimate' | 'characters/4' | 'o200k_base' | 'cl100k_base' | TokenCounter",
  embedder: 'Embedder',
  'ecs.model': 'LogprobModel',
  'ecs.judge': 'Judge',
  'ecs.profile': 'EcsProfile',
  'ecs.prompt': '((input: PromptInput) => string)',
  'conflicts.prefer': "'newest' | 'trusted' | 'majority' | (string & {}) | null",
  pin: 'string[] | ((chunk: Chunk) => boolean)',
  trust: 'TrustTier[]',
  stages: '((defaults: readonly DefaultStage[]) => readonly (DefaultStage | Stage)[])',
  onReport: '((report: ShapingReport) => void | Promise<void>)',
  onEvict: '((eviction: Eviction) => void | Promise<void>)',
  onStage: '((event: StageEvent) => void | Promise<void>)',
  telemetry: 'Telemetry',
  grader: "'relevance' | 'ecs' | Judge | Grader",
  webSearch: 'WebSearch',
  rewrite: 'Rewrite',
  'review.on': 'ReviewReason[]',
};

/** The options as an interface: what editors show, with every description and default. */
export function optionsInterface(): string {
  return `// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { Embedder, Judge, LogprobModel, PromptInput, Telemetry, TokenCounter } from '../ports.js';
import type { DefaultStage, Stage } from '../stage.js';
import type { Chunk, EcsProfile, Eviction, ShapingReport, StageEvent, TrustTier } from '../types.js';

/** What a caller may write. Everything is optional. */
export interface ShapingOptions ${members(jsonSchema(optionsSchema()), '', '')}
`;
}

export function cragOptionsInterface(): string {
  return `// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { Judge } from '../../src/index.js';
import type { ReviewReason } from './record.js';
import type { Grader, Rewrite, WebSearch } from './types.js';

/** Options of corrective retrieval. All are optional: by default words alone grade, and the graph neither searches nor asks a person. */
export interface CragOptions ${members(jsonSchema(cragOptionsSchema()), '', '')}
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
  if (property.type === 'array') {
    const items = typeOf(property.items ?? {}, name, indent);
    return property.items?.enum === undefined ? `${items}[]` : `(${items})[]`;
  }
  const nullable = Array.isArray(property.type) ? ' | null' : '';
  return property.type === 'integer' ? 'number' : `${typeOfValue(property) ?? 'unknown'}${nullable}`;
}

/** The generated parts of the documents, by the name of their markers. */
const PARTS: Readonly<Record<string, () => string>> = {
  options: optionsTable,
  'crag-options': () => tableOf(cragOptionsSchema()),
  'service-options': () => tableOf(serviceOptionsSchema),
  'exit-codes': exitCodesTable,
  'explain-causes': causesTable,
  'report-fields': reportTable,
  'report-reasons': () => formsTable(reportSchemaInJson().properties?.evicted, 'reason'),
  'report-flags': () => formsTable(reportSchemaInJson().properties?.flags?.items?.properties?.flags, 'kind'),
  kept: keptTable,
  'real-kept': realKeptTable,
  'kept-sentence': keptSentence,
  'agent-sentence': agentSentence,
  peers: peersTable,
  times: timesTable,
  claims: claimsTable,
  'recommended-budgets': recommendedBudgets,
  'crag-graph': () => `\`\`\`mermaid\n${createCragGraph().getGraph().drawMermaid()}\`\`\``,
};

function exitCodesTable(): string {
  const rows = EXIT_CODES.map(({ code, meaning, remedy }) => `| \`${code}\` | ${meaning} | ${remedy} |`);
  return ['| code | meaning | in a script |', '|---|---|---|', ...rows].join('\n');
}

function causesTable(): string {
  const rows = Object.entries(CAUSES).map(
    ([code, { meaning, remedy }]) => `| \`${code}\` | ${meaning} | ${remedy} |`,
  );
  return ['| `cause` | meaning | remedy |', '|---|---|---|', ...rows].join('\n');
}

const MARKED = /<!-- ([\w-]+):start -->[\s\S]*?<!-- \1:end -->/g;

/** The names of all parts, and of those that a document has. */
export const partNames = Object.keys(PARTS);
export const partsIn = (document: string) =>
  Array.from(document.matchAll(MARKED), ([, name]) => name as string);

/** The documents that may have generated parts: the README and the pages, without what the site's builder writes. */
export function documentsWithParts(): string[] {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' });
  const files = ['README.md', ...pages.filter(isPage).map((page) => join('docs', page))];
  return files.filter((file) => partsIn(readFileSync(file, 'utf8')).length > 0).sort();
}

const isPage = (path: string) => path.endsWith('.md') && !/(?:^|[\\/])(?:\.|node_modules)/.test(path);

/** The document with its parts as the code has them now. */
export function withParts(document: string): string {
  return document.replace(MARKED, (_, name: string) => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`No generated part is named "${name}"; there are ${partNames}.`);
    return `<!-- ${name}:start -->\n${part()}\n<!-- ${name}:end -->`;
  });
}

export function reportJsonSchema(): string {
  return `${JSON.stringify({ $id: 'context-shaping/report.schema.json', title: 'ShapingReport', ...z.toJSONSchema(reportSchema) }, null, 2)}\n`;
}

/** The meaning of each reason of an eviction, for pages: plain text by the name of the reason. */
export function reasonsJson(): string {
  const forms = reportSchemaInJson().properties?.evicted?.items?.oneOf ?? [];
  const meanings = forms.map(({ properties = {} }) => {
    const { const: name, description = '' } = properties.reason as JsonSchema;
    return [name, description.replaceAll('`', '')];
  });
  return `${JSON.stringify(Object.fromEntries(meanings), null, 2)}\n`;
}

/** Options that come as JSON. Those of them that are functions or services have no such form, and are not in it. */
export function optionsJsonSchema(): string {
  const derived = z.toJSONSchema(optionsSchema(), { unrepresentable: 'any', io: 'input' }) as JsonSchema;
  const { schema, left } = representable(derived, '');
  const description =
    'The options of createShaper that JSON can express: functions and services, such as embedder, ecs.model, stages and onReport, are left out.';
  const head = { $id: 'context-shaping/options.schema.json', title: 'ShapingOptions', description };
  const leftOut = { description: 'Paths of the functions and services.', enum: left };
  return `${JSON.stringify({ ...head, ...schema, $defs: { leftOut } }, null, 2)}\n`;
}

/** Removes options that JSON cannot represent. Their generated schemas are empty. */
function representable(schema: JsonSchema, path: string): { schema: JsonSchema; left: string[] } {
  const left: string[] = [];
  const walk = (inner: JsonSchema, at: string): JsonSchema => {
    const found = representable(inner, at);
    left.push(...found.left);
    return found.schema;
  };
  const result: JsonSchema = { ...schema };
  if (schema.anyOf !== undefined) {
    result.anyOf = schema.anyOf.filter(saysSomething).map((inner) => walk(inner, path));
  }
  if (schema.properties !== undefined) {
    const properties: Record<string, JsonSchema> = {};
    for (const [key, inner] of Object.entries(schema.properties)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (saysSomething(inner)) properties[key] = walk(inner, at);
      else left.push(at);
    }
    result.properties = properties;
  }
  return { schema: result, left };
}

const saysSomething = (schema: JsonSchema): boolean =>
  ['type', 'anyOf', 'enum', 'const'].some((key) => key in schema);

if (process.argv[1]?.endsWith('generate.ts')) {
  for (const file of documentsWithParts()) writeFileSync(file, withParts(readFileSync(file, 'utf8')));
  writeFileSync('src/input/shaping-options.ts', optionsInterface());
  writeFileSync('adapters/langgraph/crag-options.ts', cragOptionsInterface());
  writeFileSync('report.schema.json', reportJsonSchema());
  writeFileSync('options.schema.json', optionsJsonSchema());
  writeFileSync('llms.txt', llmsIndex());
  writeFileSync('packages/devtools/page/model/reasons.json', reasonsJson());
  // Compiled only if its sources changed: the compiler is not installed everywhere.
  const gram = 'src/math/gram/simd-module.ts';
  if (!readFileSync(gram, 'utf8').startsWith(gramHeader())) writeFileSync(gram, gramModule());
}
