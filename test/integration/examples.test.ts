/**
 * Every example runs offline, with the built package, and prints exactly the output that the gallery shows. With
 * `--ollama` it talks to Ollama. `npm run example` runs them from the sources. A copy of it needs only the packages that its first comment names.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Example, examples, runExample } from '../../scripts/examples.js';
import { GALLERY, galleryPage, section } from '../../scripts/examples-gallery.js';
import { checkpointers } from '../adapters/langgraph/servers.js';
import type { JsonServer } from '../adapters/logprobs/servers/json-server.js';
import { ollamaChatServer } from '../adapters/logprobs/servers/ollama-chat.js';
import { newProject } from '../built-package.js';
import { mustHaveAll } from '../must-have-all.js';

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

const project = await newProject();
afterAll(() => rmSync(project, { recursive: true, force: true }));
for (const { name, text } of examples) {
  const { code } = await transform(text, { loader: 'ts', target: 'node20' });
  writeFileSync(join(project, `${name}.js`), code);
}

const named = (name: string) => examples.find((each) => each.name === name) as Example;

test('the list has every file', () => {
  expect(examples.map(({ name }) => `${name}.ts`).toSorted()).toEqual(readdirSync('examples').toSorted());
});

describe.each(examples.map((example) => [example.name, example] as const))('%s', (_, example) => {
  const { text, shows, lookAt, setup } = example;

  test('says on one line its subject, and what to look at', () => {
    expect(shows).toMatch(/^[A-Z].{20,99}\.$/);
    expect(lookAt).toMatch(/^Look at .{20,110}\.$/);
  });

  test('can be copied: its first comment names every package that it imports, and no other', () => {
    const imported = Array.from(text.matchAll(/^(?:import|\} from|.* from) '([^']+)';$/gm), ([, each]) => {
      return each as string;
    }).filter((each) => !isBuiltin(each));
    const packages = imported.map((each) => /^(?:@[^/]+\/)?[^/]+/.exec(each)?.[0] ?? '');
    const installed = Array.from(setup.matchAll(/^npm install (.*)$/gm), ([, each]) => each as string)
      .flatMap((each) => each.split(' '))
      .filter((each) => !each.startsWith('-'));
    // Packages that this package imports on demand.
    const onDemand = [
      ...(text.includes("tokenizer: 'o200k_base'") ? ['gpt-tokenizer'] : []),
      ...(text.includes('nodeLlamaCpp') ? ['@node-llama-cpp/linux-x64'] : []),
    ];
    // Packages that a package of the example needs beside it.
    const peers = packages.some((each) => /^@?langchain/.test(each)) ? ['@langchain/core'] : [];
    const agents = packages.includes('langchain') ? ['@langchain/langgraph'] : [];
    expect([...installed].toSorted()).toEqual(
      [...new Set([...packages, ...onDemand, ...peers, ...agents])].toSorted(),
    );
    for (const each of packages)
      if (!each.startsWith('context-shaping') && each !== 'node-llama-cpp')
        expect({ ...dependencies, ...devDependencies }, each).toHaveProperty([each]);
  });

  test('prints the same on every machine: the output in the gallery', async () => {
    const { code, stdout } = await runExample(example, { output: 'pipe', standInsOnly: true, project });
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe(shows);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(lookAt);
    expect(stdout).not.toMatch(/Degradations|undefined|NaN|\d ms\b|127\.0\.0\.1/);
    expect(readFileSync(GALLERY, 'utf8'), 'Run: npm run examples:gallery').toContain(
      section(example, stdout),
    );
  });
});

test('the gallery has nothing but the examples', () => {
  const page = readFileSync(GALLERY, 'utf8');
  const outputs = new Map(
    Array.from(
      page.matchAll(/npm run example (\S+)\n```\n\n```text\n([\s\S]*?)\n```/g),
      ([, name, output]) => [name as string, output as string],
    ),
  );
  expect(galleryPage(outputs)).toBe(page);
});

describe('the point of an example is in its output', () => {
  const POINTS: Record<string, RegExp[]> = {
    'on-its-own': [
      /\$12 per month, billed yearly\. \[pricing\.md, faq\.md\]/,
      /Conflicts\n.*\n.*\n.*pricing\.md.*12.*\n.*archive\.md.*9/,
    ],
    'untrusted-passages': [
      /user: (?:(?!Say 1999)[\s\S])*\nKept\n/,
      /\n {2}wiki .*9 hidden characters/,
      /\n {2}bait .*role tags/,
    ],
    'custom-stage': [
      /\nAnn-0: .*\nAnn-1: .*\nBen-3: /,
      /cap-per-author +\d+ +[.\d]+ +Ann-2 +author Ann, most 2/,
    ],
    service: [
      /\nexact-dedup: faq was exact-duplicate\nselect: jobs was outranked\nKept: pricing\n/,
      /SlimContext: 3 -> 1, [\d.]+ % fewer tokens\nWithout a key: 401/,
    ],
    'langchain-chain': [
      /kept: guide, tunnel, wiki\nevicted: press, by exact-dedup.*\nevicted: cats/,
      /opened\? It was opened/,
    ],
    'langchain-agent': [
      /\nThe Harbour Bridge was opened on 3 May 1932[\s\S]*\nThe Fish Market was opened on 8 May 1967/,
    ],
    'langgraph-node': [/evicted: scan, by exact-dedup[\s\S]*30 mg[\s\S]*50 mg/],
    'langgraph-crag': [
      /Three years\. \(correct\)[\s\S]*1 kept[\s\S]*press[\s\S]*path: .*decide: incorrect.*search/,
    ],
    'langgraph-review': [
      /waits, because of: conflict[\s\S]*After the review[\s\S]*vetoed: by Ada, note The newer one/,
    ],
    'ai-sdk-agent': [
      /The Harbour Bridge was opened on 3 May 1932[\s\S]*The Fish Market was opened on 8 May 1967/,
    ],
    'llamaindex-query-engine': [
      /10 chunks in, 4 kept/,
      /Conflicts\n[\s\S]*(?:2|two) year[\s\S]*(?:3|three) year/,
    ],
    'llamaindex-chat-engine': [/Without shaping: Could not fit/, /With shaping: It opens at nine/],
    'static-embeddings': [
      /How do I get my money back\? {2}-> {2}Refunds are paid/,
      /refund {2}from terms\.md, faq\.md/,
    ],
    'ecs-in-process': [/words alone: Everyone asks[\s\S]*model: In Lutorjo the teacher is/],
    'ecs-llama-server': [/words alone: Everyone asks[\s\S]*model: In Lutorjo the teacher is/],
    'ecs-ollama': [/kept: teacher: In Lutorjo/],
    reranker: [/By words alone: Everyone asks/, /With the reranker: .*physician/],
    'ecs-vllm': [/kept: teacher, 9\.\d nats\nevicted: /, /evicted: asks, -4\.\d nats, as low-utility/],
  };
  const page = readFileSync(GALLERY, 'utf8');

  test.each(examples.map(({ name }) => name))('%s', (name) => {
    const own = page.split(`\n### ${name}\n`)[1]?.split('\n### ')[0];
    expect(POINTS).toHaveProperty(name);
    for (const point of POINTS[name] as RegExp[]) expect(own).toMatch(point);
  });

  test('no request of the AI SDK is over its budget, and most of its tokens were in the one before', () => {
    const row = (name: string) =>
      new RegExp(`${name}: (.*)`).exec(page)?.[1]?.match(/\d+/g)?.map(Number) as number[];
    const [sent, cached] = [row('tokens with shaping'), row('of them as before')];
    expect(sent).toHaveLength(12);
    expect(Math.max(...sent)).toBeLessThanOrEqual(900);
    const sum = (all: number[]) => all.reduce((total, each) => total + each, 0);
    expect(sum(cached)).toBeGreaterThan(sum(sent) / 2);
  });

  test('the agent sends fewer tokens with shaping, and no request is over its budget', () => {
    const rows = (name: string) =>
      new RegExp(`${name}.*`).exec(page)?.[0].match(/\d+/g)?.map(Number) as number[];
    const [without, shaped] = [rows('tokens without'), rows('tokens with ')];
    expect(shaped).toHaveLength(12);
    expect(Math.max(...shaped)).toBeLessThanOrEqual(1200);
    expect(shaped.at(-1)).toBeLessThan((without.at(-1) as number) / 5);
  });
});

describe('with --ollama', () => {
  let server: JsonServer;
  beforeAll(async () => {
    server = await ollamaChatServer(say);
  });
  afterAll(() => server.close());

  /** A model that judges by one word, and otherwise repeats its input. */
  function say(prompt: string): string {
    if (!prompt.endsWith('yes or no.')) return `Told: ${prompt}`;
    return /<passage-1>\n.*warranty/.test(prompt) ? 'yes' : 'no';
  }

  const SAYS: Record<string, RegExp> = {
    'langchain-agent':
      /Told: [\s\S]*The Harbour Bridge was opened on 3 May 1932[\s\S]*The Fish Market was opened on 8 May 1967/,
    'langchain-chain': /Told: .*\nThe harbour bridge was opened to traffic on 4 May 1932/,
    'langgraph-crag': /Told: .*\nAll Aurora lamps[\s\S]* {2}grader: chat:ChatOllama:llama3\.2\n/,
    'llamaindex-query-engine': /\nTold: [\s\S]*two years[\s\S]*\nQuery: /,
    'llamaindex-chat-engine':
      /Without shaping: Could not fit[\s\S]*With shaping: Told: [\s\S]*Room 7 of the museum opens at nine/,
  };

  test('each example that takes the flag has an expectation', () => {
    const takes = examples.filter(({ text }) => text.includes("'--ollama'")).map(({ name }) => name);
    expect(takes.toSorted()).toEqual(Object.keys(SAYS).toSorted());
  });

  test.each(Object.entries(SAYS))('%s asks Ollama', async (name, says) => {
    const env = { ...process.env, OLLAMA_HOST: server.address };
    const how = { args: ['--ollama'], env, output: 'pipe', project } as const;
    const { code, stdout } = await runExample(named(name), how);
    expect(code).toBe(0);
    expect(stdout).toMatch(says);
    expect(stdout).not.toContain('Degradations');
  });
});

const postgres = checkpointers.find(({ name }) => name === 'PostgreSQL');

test.runIf(postgres?.available || mustHaveAll)(
  'langgraph-review keeps its run in PostgreSQL, and another process sees it',
  async () => {
    const { connection, checkpointer, close } = await (postgres as NonNullable<typeof postgres>).open();
    onTestFinished(close);
    const [address = '', schema = ''] = connection.split('#');
    // The tables of the example go into the schema of this test.
    const env = { ...process.env, REVIEWS_DATABASE_URL: address, REVIEWS_SCHEMA: schema };
    const { code, stdout } = await runExample(named('langgraph-review'), { env, output: 'pipe', project });
    expect(code).toBe(0);
    expect(stdout).toMatch(/waits, because of: conflict[\s\S]*vetoed: by Ada, note The newer one/);
    const saved = await checkpointer.get({ configurable: { thread_id: 'warranty' } });
    expect(saved?.channel_values).toMatchObject({ context: [{ id: 'guide-2024' }] });
  },
);

describe('npm run example', () => {
  const program = ['--conditions=context-shaping-source', '--import', 'tsx', 'scripts/run-example.ts'];
  /** An address at which no server listens. */
  let nowhere = '';
  beforeAll(async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    nowhere = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await once(server.close(), 'close');
  });
  const command = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)(process.execPath, [...program, ...args], { env: { ...process.env, ...env } }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  test('lists all examples with one line each', async () => {
    const { code, stdout } = await command([]);
    expect(code).toBe(0);
    for (const { name, shows } of examples)
      expect(stdout).toMatch(new RegExp(`^ +${name} +${literally(shows)}$`, 'm'));
  });

  test('names the nearest example of a typo', async () => {
    const { code, stderr } = await command(['langchain-chian']);
    expect(code).toBe(1);
    expect(stderr).toContain("unknown command 'langchain-chian'\n(Did you mean langchain-chain?)");
  });

  test.each([
    ['after --', ['langchain-chain', '--ollama'], {}],
    ['that npm has taken for a setting of its own', ['langchain-chain'], { npm_config_ollama: 'true' }],
  ])('passes an argument on %s; without a server it fails at once', async (_, args, env) => {
    const { code, stderr } = await command(args, { ...env, OLLAMA_HOST: `http://${nowhere}` });
    expect(code).toBe(1);
    expect(stderr).toContain(`OLLAMA_HOST cannot be reached (got "http://${nowhere}"). Start Ollama`);
  });

  test.each([
    ['ecs-llama-server', { LLAMA_SERVER_URL: 'http://' }],
    ['ecs-ollama', { OLLAMA_HOST: 'http://' }],
    ['ecs-vllm', { VLLM_URL: 'http://' }],
  ])('%s uses the server that is given, and says so if there is none', async (name, variable) => {
    const [[key, scheme]] = Object.entries(variable) as [[string, string]];
    const { stdout } = await command([name], { [key]: scheme + nowhere });
    expect(stdout).not.toMatch(/stand-in|undefined/);
    expect(stdout).toMatch(new RegExp(`Utility could not be measured.*connection refused at ${nowhere}`));
  });
});

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
