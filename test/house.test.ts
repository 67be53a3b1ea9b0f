/** The rules of the house that code can check: who may import whom, what may not be in the tree. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import {
  cragOptionsInterface,
  documentsWithParts,
  optionsInterface,
  optionsJsonSchema,
  partNames,
  partsIn,
  reportJsonSchema,
  withParts,
} from '../scripts/generate.js';
import { gramHeader, gramModule, hasCompiler } from '../scripts/gram-module.js';
import { STAGES } from '../src/stages/shared/stages.js';
import { mustHaveAll } from './cases.js';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(file) && statSync(file).isFile());
const code = files.filter((file) => /^(src|adapters)\/.*\.ts$/.test(file));

/** What a file imports, files as paths from the root, packages by name; `types`: for its types alone. */
function importsOf(file: string): { to: string; types: boolean }[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /(?:^|\n)(?:import|export)\b(?<names>[^;'"]*?)from\s*['"](?<fixed>[^'"]+)['"]|import\(\s*['"](?<dynamic>[^'"]+)['"]/g,
  );
  return Array.from(statements, ({ groups }) => {
    const { names = '', fixed, dynamic } = groups as { names?: string; fixed?: string; dynamic?: string };
    const specifier = fixed ?? (dynamic as string);
    const listed = /\{([\s\S]*)\}/
      .exec(names)?.[1]
      ?.split(',')
      .filter((name) => name.trim() !== '');
    return {
      to: specifier.startsWith('.')
        ? normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts')
        : specifier,
      types:
        /^\s*type\b/.test(names) ||
        (listed?.length ? listed.every((name) => /^\s*type\b/.test(name)) : false),
    };
  });
}
const arrows = code.flatMap((file) => importsOf(file).map((arrow) => ({ file, ...arrow })));
const area = (path: string) => /^(src\/(?:math|text|stages)|adapters\/[^/]+|src)\//.exec(path)?.[1];

/** The packages that each area may use; adapters also use their own framework. */
const PACKAGES: Record<string, RegExp> = {
  'src/math': /^ml-hclust$/,
  'src/text': /^@orama\/stemmers\/english$/,
  'src/stages': /^$/,
  src: /^(zod(\/mini)?|@noble\/hashes\/sha2\.js|gpt-tokenizer\/(encoding\/(o200k_base|cl100k_base)|encodingParams\/constants))$/,
  'adapters/langchain': /^(@langchain\/core\/.*|node:async_hooks|zod\/mini)$/,
  'adapters/documents': /^(@langchain\/core\/.*|zod\/mini)$/,
  'adapters/model-calls': /^$/,
  'adapters/gate': /^$/,
  'adapters/gguf': /^node:.*$/,
  'adapters/shape-request': /^$/,
  // No graph: a compressor knows these options without LangGraph.
  'adapters/crag': /^(@langchain\/core\/.*|zod(\/mini)?)$/,
  'adapters/langgraph': /^(@langchain\/(core|langgraph)(\/.*)?|@noble\/hashes\/(sha2|utils)\.js|zod)$/,
  'adapters/agents': /^(@langchain\/core\/.*|langchain|zod)$/,
  'adapters/conversation': /^(@noble\/hashes\/(hmac|sha2|utils)\.js|zod)$/,
  'adapters/structures': /^(zod)$/,
  'adapters/passage-store': /^(node:.*|better-sqlite3|ioredis|zod)$/,
  'adapters/ai-sdk': /^zod$/,
  'adapters/mastra': /^zod$/,
  'adapters/openai-agents': /^zod$/,
  'adapters/genkit': /^zod$/,
  'adapters/mcp': /^(node:.*|zod|@modelcontextprotocol\/(client|server)(\/.*)?)$/,
  'adapters/embeddings': /^(@langchain\/core\/.*|@noble\/hashes\/(sha2|utils)\.js|zod)$/,
  // For its types alone: what augments them.
  'adapters/llamaindex': /^@llamaindex\/core\/global$/,
  'adapters/logprobs': /^(zod|@noble\/hashes\/(sha2|utils)\.js)$/,
  'adapters/json-service': /^zod$/,
  'adapters/llama-engine': /^$/,
  'adapters/rerankers': /^zod$/,
  'adapters/lockfile': /^(zod\/mini)$/,
  'adapters/explain': /^$/,
  'adapters/internal': /^$/,
  'adapters/report-log': /^(node:.*|zod)$/,
  'adapters/telemetry': /^(@opentelemetry\/api|zod\/mini)$/,
  'adapters/inspector': /^#inspector-app$/,
  'adapters/testing': /^$/,
  'adapters/transformers': /^(zod|@noble\/hashes\/(sha2|utils)\.js)$/,
  'adapters/batch': /^(node:.*|zod|bullmq|ioredis|prom-client)$/,
  'adapters/workers': /^(node:.*|zod|piscina)$/,
  'adapters/http':
    /^(node:.*|zod|fastify|@fastify\/(compress|cors|rate-limit|swagger|swagger-ui)|piscina|prom-client)$/,
  'adapters/cli':
    /^(node:.*|commander|cli-progress|@modelcontextprotocol\/(client|server)(\/stdio)?|@langchain\/(core|community|textsplitters|langgraph(-checkpoint-(postgres|sqlite))?)(\/.*)?)$/,
};

test('every import is of a file that exists, or of a package that its area may use', () => {
  expect(code.length).toBeGreaterThan(30);
  const wrong = arrows.filter(({ file, to }) =>
    area(to) ? !existsSync(to) : !PACKAGES[area(file) as string]?.test(to),
  );
  expect(wrong).toEqual([]);
});

/**
 * The floors of the core, from the ground up. A room may use the floors below it; for types alone, its own floor and
 * those above as well.
 */
const FLOORS = [
  ['types.ts', 'ports.ts', 'stage.ts', 'errors.ts', 'version.ts'],
  ['runtime/', 'math/'],
  ['text/'],
  ['tokens/', 'pool/'],
  ['input/', 'relevance/', 'pipeline.ts'],
  ['report/', 'prompt/', 'entropy-pruning/'],
  ['ecs/'],
  ['stages/shared/'],
  ['stages/'],
  ['session/'],
  ['observers.ts', 'arrangement.ts'],
  ['first-call.ts'],
  ['shaper.ts'],
  ['create-shaper.ts', 'shape-with.ts', 'unit-rankings.ts'],
  ['index.ts', 'internal.ts'],
  ['small.ts'],
].flatMap((rooms, floor) => rooms.map((room) => ({ path: `src/${room}`, floor })));
const roomOf = (file: string) =>
  FLOORS.filter(({ path }) => file.startsWith(path)).sort((a, b) => b.path.length - a.path.length)[0];
/** A stage is a file, or a folder whose main file has its name. */
const stageOf = (file: string) => /^src\/stages\/(?!shared\/)([^/.]+)/.exec(file)?.[1];

test('every room of the core has its floor, and uses only the floors below', () => {
  const core = arrows.filter(({ file }) => file.startsWith('src/'));
  expect(code.filter((file) => file.startsWith('src/') && roomOf(file) === undefined)).toEqual([]);
  const upwards = core.filter(({ file, to, types }) => {
    const [from, target] = [roomOf(file), roomOf(to)];
    return !types && target !== undefined && from?.path !== target.path && target.floor >= (from?.floor ?? 0);
  });
  expect(upwards).toEqual([]);
});

test('the table of stages has every stage, so that none is left out without an error', () => {
  const stages = new Set(code.flatMap((file) => stageOf(file) ?? []));
  stages.delete('custom');
  expect(STAGES.map(({ name }) => name as string).sort()).toEqual([...stages].sort());
});

test('numbers and texts know nothing of chunks, stages not each other, adapters only the front doors', () => {
  const forbidden: [from: RegExp, to: RegExp][] = [
    [/^src\/math\//, /^src\/(?!math\/|errors\.ts)/],
    [/^src\/text\//, /^src\/(?!math\/|text\/|runtime\/|errors\.ts|types\.ts)/],
    [/^src\/(?!small\.ts)/, /^(src\/(index|internal|small)\.ts|adapters\/)/],
    [/^adapters\//, /^src\/(?!(index|internal)\.ts)/],
  ];
  const wrong = arrows.filter(
    ({ file, to }) =>
      forbidden.some(([from, target]) => from.test(file) && target.test(to)) ||
      (stageOf(file) && stageOf(to) && stageOf(file) !== stageOf(to)),
  );
  expect(wrong).toEqual([]);
});

test('adapters meet only at their front doors', () => {
  const inside = arrows.filter(
    ({ file, to }) => to.startsWith('adapters/') && area(file) !== area(to) && !to.endsWith('/index.ts'),
  );
  expect(inside).toEqual([]);
});

test('no cycles; types alone may know each other', () => {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) throw new Error(`cycle: ${[...path, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const arrow of arrows) if (arrow.file === file && !arrow.types) visit(arrow.to, [...path, file]);
    done.add(file);
  };
  for (const file of code) visit(file, []);
});

test('every generated part of the documents has its place, and is what the code has', () => {
  const documents = documentsWithParts().map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  for (const { file, text } of documents) expect(withParts(text), file).toBe(text);
  expect(new Set(documents.flatMap(({ text }) => partsIn(text)))).toEqual(new Set(partNames));
  expect(() => withParts('<!-- option:start --><!-- option:end -->')).toThrow(
    'No generated part is named "option"',
  );
});

test('every field of the report has a description', () => {
  expect(readFileSync('docs/reference/report.md', 'utf8').match(/^.*\|\s*\|$/gm)).toBeNull();
});

test('the interfaces of options and the schemas are those that the code has', () => {
  expect(readFileSync('src/input/shaping-options.ts', 'utf8')).toBe(optionsInterface());
  expect(readFileSync('adapters/crag/crag-options.ts', 'utf8')).toBe(cragOptionsInterface());
  expect(readFileSync('report.schema.json', 'utf8')).toBe(reportJsonSchema());
  expect(readFileSync('options.schema.json', 'utf8')).toBe(optionsJsonSchema());
});

test('the WebAssembly module was compiled from the source that is there', () => {
  expect(readFileSync('src/math/gram/simd-module.ts', 'utf8').startsWith(gramHeader())).toBe(true);
});

test.skipIf(!hasCompiler() && !mustHaveAll)(
  'the WebAssembly module is the one that its source compiles to',
  { tags: ['long'] },
  () => expect(readFileSync('src/math/gram/simd-module.ts', 'utf8')).toBe(gramModule()),
);

test('no registry address, machine path or unfinished work in the tree', () => {
  const unwanted = /registry[.]npmjs|"resolved[":]+ "http|[/]work[/]|(?<!:)[/]root[/]|\bTO[D]O\b|\bFIX[M]E\b/;
  expect(files.filter((file) => unwanted.test(readFileSync(file, 'utf8')))).toEqual([]);
});
