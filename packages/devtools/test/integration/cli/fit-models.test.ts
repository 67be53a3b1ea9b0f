import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ModelFigures, ModelFit } from 'context-shaping-devtools/evaluate';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Outcome, programNamed, type Setting } from '../../../../../test/adapters/cli/harness.js';
import { fakeLlama } from '../../../../../test/adapters/logprobs/fake-llama.js';
import { tinyModel } from '../../../../../test/adapters/logprobs/items.js';
import { jsonServer } from '../../../../../test/adapters/logprobs/servers/json-server.js';
import { type LlamaServer, llamaServer } from '../../../../../test/adapters/logprobs/servers/llama-server.js';
import { Llama } from '../../../../../test/gguf/llama.js';
import { caseOf, type Labelled } from '../../evaluate/labelled.js';

const { cli, start } = programNamed('context-shaping-devtools');

// In this tree, so that the modules in it find this package.
mkdirSync('.tmp', { recursive: true });
const root = mkdtempSync(resolve('.tmp/fit-'));
const labelled = join(root, 'labelled.jsonl');
/** Few passages, so that it does not take long: one that answers, one that lies, one of something else. */
const lines = readFileSync('test/fixtures/ecs-tiny/labelled.jsonl', 'utf8')
  .split('\n')
  .slice(0, 20)
  .map((line) => {
    const { context: _, passages, ...rest } = JSON.parse(line) as Labelled;
    return JSON.stringify(
      caseOf({
        ...rest,
        passages: [0, 6, 2].map((place) => passages[place] as Labelled['passages'][number]),
      }),
    );
  });
writeFileSync(labelled, `${lines.join('\n')}\n`);

/** An engine of its own for each test that wants one. */
let engine: object | undefined;
vi.mock('node-llama-cpp', () => ({ getLlama: async () => engine }));

let server: LlamaServer;
/** The flags of a module whose default export is an expression. */
function setup(
  options: string,
  imports = "import { llamaServer } from 'context-shaping/logprobs';",
): string[] {
  const path = join(mkdtempSync(join(root, 'setup-')), 'setup.mjs');
  writeFileSync(path, `${imports}\nexport default ${options};\n`);
  return ['--setup', path];
}
const modelAtServer = (address = server.address) => `llamaServer({ baseUrl: '${address}' })`;
/** @param more options of `ecs`, and after them others. */
const atServer = (ecs = '', more = '') => setup(`{ ecs: { model: ${modelAtServer()}, ${ecs} }, ${more} }`);
beforeAll(async () => {
  server = await llamaServer(Llama.parse(tinyModel()));
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

let folder: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
  to = join(folder, 'profile.json');
  engine = undefined;
});

/** A file of the run’s own. */
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const fit = (args: string[], setting?: Setting) =>
  cli(['evaluate', '--data', labelled, '--method', 'answer', '--fit', to, ...args], setting);
const fitIn = (json: string) => (JSON.parse(json) as ModelFit['options']).ecs?.profile;
const written = () => fitIn(readFileSync(to, 'utf8'))?.methods as Record<string, ModelFigures>;

describe('a model behind a server', () => {
  let outcome: Outcome;
  let json: string;
  beforeAll(async () => {
    const own = join(root, 'once.json');
    outcome = await cli(['evaluate', '--data', labelled, ...atServer(), '--method', 'answer', '--fit', own]);
    json = readFileSync(own, 'utf8');
  });

  test('a page that says how well each way of ranking does, and why the model is not trusted', () => {
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const page = outcome.stdout.split('\n');
    const cells = page.map((line) => line.split(/ {2,}/));
    // The model gets the answer, so the others search for it too.
    expect(cells.slice(1, 4).map(([name]) => name)).toEqual([
      'BM25, with answer',
      'relevance, with answer',
      'answer',
    ]);
    expect(cells[3]?.[1]).toBe('1.000');
    expect(page).toContain(
      `answer: ${fitIn(json)?.methods.answer?.model}, 20 questions, share .25, candidates 4`,
    );
    expect(page).toContain('- 20 questions are too few: trust needs 60.');
    expect(page.slice(-3)).toEqual([
      'No model is trusted: relevance alone ranks.',
      `Profiles: ${join(root, 'once.json')}, as parts of the options.`,
      '',
    ]);
  });

  test('--fit - prints the profile and nothing else', async () => {
    const piped = await fit([...atServer(), '--fit', '-']);
    expect(piped).toEqual({ code: 0, stdout: json, stderr: '' });
    expect(existsSync('-')).toBe(false);
  });
});

test('answer, where a question has none, is refused before anything is asked', async () => {
  const before = server.asked.length;
  const unanswered = lines.map((line, at) => (at === 6 ? line.replace(/,"answer":"[^"]*"/, '') : line));
  const { code, stderr } = await fit([
    ...atServer(),
    '--data',
    file('unanswered.jsonl', unanswered.join('\n')),
  ]);
  expect(stderr).toContain('answer needs a model and query.answer of every case: case 7 has none');
  expect(code).toBe(2);
  expect(server.asked).toHaveLength(before);
});

describe('the options that are measured', () => {
  const profileOf = async (args: string[]) => {
    const { code, stderr } = await fit(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return written().answer as ModelFigures;
  };

  test('the profile contains them', async () => {
    const prompt =
      "({ context, question }) => ['Context:', ...context, '', 'Question: ' + question, 'Answer:'].join('\\n')";
    const verdict = await profileOf(
      atServer(
        `share: 0.6, maxCandidates: 2, rounds: 1, prompt: ${prompt}`,
        "relevance: { weights: { bm25: 3 } }, tokenizer: 'characters/4', budget: { maxTokens: 900 }",
      ),
    );
    expect(verdict).toMatchObject({
      share: 0.6,
      maxCandidates: 2,
      settings: {
        'ecs.rounds': 1,
        'relevance.weights': '{"bm25":3}',
        tokenizer: 'characters/4',
        'ecs.prompt': 'Context:\npassage\n\nQuestion: question\nAnswer:',
      },
    });
  });

  test('the profile that is in use, and its trust, count for nothing', async () => {
    const plain = await profileOf(atServer());
    const profile = "profile: { version: 2, methods: {} }, trust: 'always', withoutAnswer: 'judge'";
    expect(await profileOf(atServer(profile))).toEqual(plain);
  });

  test.each<[string, () => string[], string]>([
    ['is not there', () => ['--setup', join(folder, 'none.mjs')], 'Cannot load'],
    ['exports nothing', () => setup('undefined'), 'must export options of a shaper as default'],
    ['throws', () => setup("llamaServer({ baseUrl: 'here' })"), 'baseUrl must be an http or https address'],
    ['has no model', () => setup('{ ecs: { share: 0.5 } }'), 'setup.mjs'],
    ['has no ecs', () => setup('{ k: 3 }'), 'setup.mjs: ecs.model is missing, and so is ecs.judge'],
    ['has a wrong option', () => atServer('share: 2'), 'setup.mjs: ecs.share must be'],
    ['has an unknown option', () => atServer('', 'embeder: 1'), 'setup.mjs: embeder'],
  ])('a setup that %s', async (_, args, message) => {
    const { code, stderr } = await fit(args());
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

test.each<[string, () => string[], string]>([
  [
    'a method that is none: the choices are listed',
    () => [...atServer(), '--method', 'guess'],
    'answer, question, judge',
  ],
  [
    'too few questions',
    () => [...atServer(), '--data', file('few', lines.slice(1).join('\n'))],
    'few must have at least 20 questions',
  ],
  [
    'a wrong case',
    () => [...atServer(), '--data', file('wrong', `${lines[0]}\n\n{"query": ""}`)],
    'line 3, $.query must not be blank',
  ],
  ['a flag of evaluations', () => [...atServer(), '--min-evidence', '0.9'], 'takes no --min-evidence'],
])('%s', async (_, args, message) => {
  const { code, stdout, stderr } = await fit(args());
  expect(stderr).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(existsSync(to)).toBe(false);
});

describe('a profile that cannot be written', () => {
  test('in a folder that is not there: nothing is asked', async () => {
    const before = server.asked.length;
    const at = join(folder, 'none', 'profile.json');
    const stderr = `context-shaping-devtools: Cannot write ${at}: ENOENT: no such file or directory, open '${at}'. Name another file with --fit.\n`;
    expect(await fit([...atServer(), '--fit', at])).toEqual({ code: 2, stdout: '', stderr });
    expect(server.asked).toHaveLength(before);
  });

  test.skipIf(!existsSync('/dev/full'))('once it is made, goes to standard output', async () => {
    const { code, stdout, stderr } = await fit([...atServer(), '--fit', '/dev/full']);
    expect(code).toBe(1);
    expect(fitIn(stdout)?.methods.answer).toMatchObject({ ranking: { ndcg: 1 } });
    expect(stderr).toMatch(
      /Cannot write \/dev\/full: ENOSPC: no space left on device, write\. The profiles are on standard output/,
    );
  });

  test('a failed run keeps the old profile', async () => {
    const there = file('there.json', '{"version":1}');
    const few = ['--data', file('few', lines.slice(1).join('\n'))];
    expect(await fit([...atServer(), ...few, '--fit', there])).toMatchObject({ code: 2 });
    expect(readFileSync(there, 'utf8')).toBe('{"version":1}');
  });
});

describe('a service that fails', () => {
  test('it is not there: one message with the remedy', async () => {
    const gone = await jsonServer(() => ({ json: {} }));
    await gone.close();
    const { code, stdout, stderr } = await fit(setup(`{ ecs: { model: ${modelAtServer(gone.address)} } }`));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`context-shaping-devtools: GET ${gone.address}/props cannot be reached`);
    expect(stderr).toContain(`Start the server at ${gone.address}, or correct the address.`);
    expect(existsSync(to)).toBe(false);
  });

  test('one that answers no question', async () => {
    const broken = await llamaServer(Llama.parse(tinyModel()), { contextLength: 4 });
    const { code, stdout, stderr } = await fit(setup(`{ ecs: { model: ${modelAtServer(broken.address)} } }`));
    await broken.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/could not be measured .* 22 tokens, and a slot of the server holds 3/);
    expect(existsSync(to)).toBe(false);
  });
});

describe('a model in this process', () => {
  const letters = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place));

  /** As node-llama-cpp, with a letter for each token; `onEvaluate` is called whenever it is asked. */
  function fakeEngine(onEvaluate = () => {}) {
    const { model } = fakeLlama({
      kind: 'llama',
      names: [...letters, '\n', '<s>'],
      texts: [...letters, '\n', ''],
      bos: 96,
    });
    const freed: string[] = [];
    const createContext: typeof model.createContext = async (options) => {
      const sequence = (await model.createContext(options)).getSequence();
      const own: Partial<typeof sequence> = {
        contextSize: 1000,
        controlledEvaluate(input) {
          onEvaluate();
          return sequence.controlledEvaluate(input);
        },
      };
      return {
        getSequence: () => Object.assign(Object.create(sequence), own),
        dispose: async () => void freed.push('context'),
      };
    };
    engine = { loadModel: async () => ({ ...model, createContext }) };
    return freed;
  }
  const short = Array.from({ length: 20 }, (_, n) =>
    JSON.stringify({
      query: { text: `${n}?`, answer: 'b' },
      chunks: ['a b', 'c d'],
      evidence: { answers: ['a b'] },
    }),
  ).join('\n');
  const inProcess = () =>
    setup(
      `async () => {
        const { getLlama } = await import('node-llama-cpp');
        const model = await (await getLlama()).loadModel({ modelPath: 'm.gguf' });
        return { ecs: { model: await nodeLlamaCpp({ model }) } };
      }`,
      "import { nodeLlamaCpp } from 'context-shaping/logprobs';",
    );
  const ask = (args: string[], setting?: Setting) =>
    fit([...inProcess(), '--data', file('short', short), ...args], setting);

  test('is freed when all is done', async () => {
    let count = 0;
    const freed = fakeEngine(() => count++);
    expect(await ask([])).toMatchObject({ code: 0, stderr: '' });
    expect(count).toBeGreaterThan(20);
    expect(freed).toEqual(['context']);
  });

  test('is freed on Ctrl-C, and nothing is written', async () => {
    const interrupt = new AbortController();
    let count = 0;
    const freed = fakeEngine(() => {
      if (++count === 5) interrupt.abort();
    });
    expect(await ask([], { signal: interrupt.signal })).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(count).toBe(5);
    expect(freed).toEqual(['context']);
    expect(existsSync(to)).toBe(false);
  });
});

describe('Ctrl-C', () => {
  test('before anything', async () => {
    const signal = AbortSignal.abort();
    const outcome = await fit(atServer(), { signal });
    expect(outcome).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('while a server thinks', async () => {
    let reached = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const silent = await jsonServer(() => {
      reached();
      return 'silence';
    });
    const args = [
      'evaluate',
      '--data',
      labelled,
      ...setup(`{ ecs: { model: ${modelAtServer(silent.address)} } }`),
      '--fit',
      to,
    ];
    const { child, outcome } = start(args);
    await isReached;
    child.kill('SIGINT');
    expect(await outcome).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(existsSync(to)).toBe(false);
    await silent.close();
  });
});
