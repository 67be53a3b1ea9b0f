/**
 * Writes what is derived from the schemas: the table of options in the README, and report.schema.json. A test
 * fails when either is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { optionsSchema } from '../src/options.js';
import { reportSchema } from '../src/report-schema.js';

interface JsonSchema {
  type?: string;
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

/** What the schema cannot say in JSON, by option. */
const CODE_TYPES: Readonly<Record<string, string>> = {
  tokenizer: '`"estimate"`, `"o200k_base"`, `"cl100k_base"`, function',
  embedder: 'Embedder',
  pin: 'ids, function',
  onReport: 'function',
  onEvict: 'function',
};

export function optionsTable(): string {
  const schema = z.toJSONSchema(optionsSchema, { unrepresentable: 'any', io: 'input' }) as JsonSchema;
  const rows = rowsOf(schema, '');
  return ['| option | values | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function rowsOf(schema: JsonSchema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const nested = property.properties ? property : property.anyOf?.find((option) => option.properties);
    if (nested === undefined) return [row(name, property)];
    const off = property.anyOf
      ? [`| \`${name}\` | \`false\`, object | on | \`false\` switches the stage off. |`]
      : [];
    return [...off, ...rowsOf(nested, `${name}.`)];
  });
}

function row(name: string, property: JsonSchema): string {
  const initial = property.default === undefined ? '–' : code(property.default);
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
  if (property.type === 'number') return `${from}..${to}`;
  return property.type ?? 'any';
}

const code = (value: unknown) => `\`${JSON.stringify(value)}\``;

export function readmeWithTable(readme: string): string {
  return readme.replace(
    /(<!-- options:start -->)[\s\S]*(<!-- options:end -->)/,
    (_, start, end) => `${start}\n${optionsTable()}\n${end}`,
  );
}

export function reportJsonSchema(): string {
  return `${JSON.stringify({ $id: 'context-shaping/report.schema.json', title: 'ShapingReport', ...z.toJSONSchema(reportSchema) }, null, 2)}\n`;
}

if (process.argv[1]?.endsWith('generate.ts')) {
  writeFileSync('README.md', readmeWithTable(readFileSync('README.md', 'utf8')));
  writeFileSync('report.schema.json', reportJsonSchema());
}
