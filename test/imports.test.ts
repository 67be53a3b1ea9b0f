/** Importing an entry loads little: what only some calls need is loaded by the first call that needs it. */
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Modules and packages that an import loads at once, whichever file a bundle has them in. */
async function loadedBy(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#*'],
    metafile: true,
    write: false,
  });
  const start = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === entry,
  )?.[0] as string;
  const files = new Set([start]);
  const loaded = new Set<string>();
  for (const file of files) {
    const { imports, inputs } = metafile.outputs[file] as (typeof metafile.outputs)[string];
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) loaded.add(input);
    for (const { path, kind, external } of imports) {
      if (kind === 'import-statement') (external ? loaded : files).add(path);
    }
  }
  return [...loaded];
}

/**
 * The modules that run the stages, compare facts, find near-copies and instructions, cut, and measure with models.
 */
const ON_DEMAND =
  /^src\/(?:first-call|pipeline|ecs\/measure|relevance\/(?:history|units)|stages\/(?!shared\/).*|text\/facts\/(?:difference|disagree|facts|reader))\.ts$/;

const SMALL_PACKAGES = ['@noble/hashes/sha2.js', 'zod/mini'];

test('. loads no module on demand, and two small packages', async () => {
  const loaded = await loadedBy('src/index.ts');
  expect(loaded.filter((each) => ON_DEMAND.test(each) || each.startsWith('src/text/units/'))).toEqual([]);
  const packages = loaded.filter((each) => !each.startsWith('src/'));
  expect(packages.sort()).toEqual(SMALL_PACKAGES);
});

test('./langchain loads no module on demand, no graph and no other host', async () => {
  const loaded = await loadedBy('adapters/langchain/index.ts');
  expect(loaded.filter((each) => ON_DEMAND.test(each))).toEqual([]);
  const others = /^adapters\/(?!langchain\/|model-calls\/)/;
  expect(loaded.filter((each) => others.test(each))).toEqual([]);
  const packages = loaded.filter((each) => !/^(?:(?:src|adapters)\/|@langchain\/core\/)/.test(each));
  // A chunk that it shares with the stages has the stemmer.
  expect(packages.sort()).toEqual(['@noble/hashes/sha2.js', '@orama/stemmers/english', 'zod/mini']);
});

test('a hook starts with each call of a tool, and loads nothing that only a large output needs', async () => {
  const loaded = (await loadedBy('packages/mcp/src/hook/start.ts')).filter(
    (name) => !name.startsWith('node:'),
  );
  expect(loaded.sort()).toEqual([
    'context-shaping-agents/tool-calls',
    'packages/mcp/src/hook/command.ts',
    'packages/mcp/src/hook/event.ts',
    'packages/mcp/src/hook/flags.ts',
    'packages/mcp/src/hook/start.ts',
  ]);
  expect(await loadedBy('packages/agents/src/tool-calls.ts')).toEqual(['packages/agents/src/tool-calls.ts']);
});
