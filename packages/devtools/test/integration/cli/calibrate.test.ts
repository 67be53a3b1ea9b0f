import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createShaper } from 'context-shaping';
import { llamaServer as modelAt } from 'context-shaping/logprobs';
import type {
  CalibrationProfile,
  Gain,
  LabelledQuestion,
  MethodFigures,
} from 'context-shaping-devtools/calibrate';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Outcome, programNamed, type Setting } from '../../../../../test/adapters/cli/harness.js';
import { TINY, writeModel } from '../../../../../test/adapters/embeddings/static-model.js';
import { fakeLlama } from '../../../../../test/adapters/logprobs/fake-llama.js';
import { tinyModel } from '../../../../../test/adapters/logprobs/items.js';
import { jsonServer } from '../../../../../test/adapters/logprobs/servers/json-server.js';
import { type LlamaServer, llamaServer } from '../../../../../test/adapters/logprobs/servers/llama-server.js';
import { bySynonyms, rerankServer } from '../../../../../test/adapters/rerankers/rerank-server.js';
import { Llama } from '../../../../../test/gguf/llama.js';
import { calibrationPage } from '../../../src/cli/calibrate-page.js';

const { cli, start } = programNamed('context-shaping-devtools');

const GGUF = 'test/fixtures/ecs-tiny/ecs-tiny-f16.gguf';

// In this tree, so that the modules in it find this package.
mkdirSync('.tmp', { recursive: true });
const root = mkdtempSync(resolve('.tmp/calibrate-'));
const labelled = join(root, 'labelled.jsonl');
/** Few passages, so that it does not take long: one that answers, one that lies, one of something else. */
const lines = readFileSync('test/fixtures/ecs-tiny/labelled.jsonl', 'utf8')
  .split('\n')
  .slice(0, 20)
  .map((line) => {
    const { question, answer, passages } = JSON.parse(line) as LabelledQuestion;
    return JSON.stringify({ question, answer, passages: [0, 6, 2].map((place) => passages[place]) });
  });
writeFileSync(labelled, `${lines.join('\n')}\n`);

/** An engine of its own for each test that wants one; without, it is as if none was installed. */
let engine: object | undefined;
vi.mock('node-llama-cpp', () => ({
  getLlama: async () => engine ?? Promise.reject(new NoBinaryFoundError()),
  NoBinaryFoundError,
}));
const { NoBinaryFoundError } = vi.hoisted(() => ({ NoBinaryFoundError: class extends Error {} }));

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
const calibrate = (args: string[], setting?: Setting) =>
  cli(['calibrate', '--data', labelled, '--method', 'answer', '--to', to, ...args], setting);
const profileIn = (json: string) => JSON.parse(json) as CalibrationProfile;
const written = () => profileIn(readFileSync(to, 'utf8'));

describe('a model behind a server', () => {
  let outcome: Outcome;
  let json: string;
  beforeAll(async () => {
    const own = join(root, 'once.json');
    outcome = await cli(['calibrate', '--data', labelled, ...atServer(), '--method', 'answer', '--to', own]);
    json = readFileSync(own, 'utf8');
  });

  test('a page that says how well each way of ranking does, its costs, and the place of the profile', () => {
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const { model, relevance, bm25, ecs, cost, ...gains } = profileIn(json).methods.answer as MethodFigures;
    const page = outcome.stdout.split('\n');
    const cells = page.map((line) => line.split(/ {2,}/));
    const fixed = (value: number) => value.toFixed(3).replace(/^0/, '');
    const gain = ({ mean, low }: Gain) => [`+${fixed(mean)}`, `−${fixed(-low)}`];
    expect(page.slice(0, 3)).toEqual([model, '20 questions, 60 passages', '']);
    // The model gets the answer, so the others search for it too.
    expect(cells.slice(3, 7)).toEqual([
      ['ranked by', 'AUC', 'F1', 'over relevance', 'at least', 'over BM25', 'at least', 'trusted'],
      ['BM25, with answer', fixed(bm25.auc), fixed(bm25.f1AtK)],
      ['relevance, with answer', fixed(relevance.auc), fixed(relevance.f1AtK)],
      ['answer', '1.000', '1.000', ...gain(gains.gainOverRelevance), ...gain(gains.gainOverBm25), 'no'],
    ]);
    expect(ecs).toEqual({ auc: 1, f1AtK: 1 });
    const cached = `${Math.round(100 * (cost.cachedShare as number))} %`;
    expect(cells.slice(8, 10)).toEqual([
      ['method', 'share', 'candidates', 'requests per question', 'tokens', 'cached tokens'],
      [
        'answer',
        '.25',
        '4',
        cost.requestsPerQuestion.toFixed(1),
        String(Math.round(cost.tokensPerQuestion as number)),
        cached,
      ],
    ]);
    expect(outcome.stdout).toContain('answer: 20 questions are too few: trust needs 60.\n');
    expect(outcome.stdout).toContain(`ecs does not change relevance.\nProfile: ${join(root, 'once.json')}. `);
    // The path of the profile may be long.
    const lines = page.filter((line) => !line.startsWith('Profile: '));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('a profile that ecs reads, and follows', async () => {
    const profile = profileIn(json);
    expect(profile).toMatchObject({ version: 2, questions: 20, methods: { answer: { wins: false } } });
    const { question, answer, passages } = JSON.parse(lines[0] as string) as LabelledQuestion;
    const shaper = createShaper({
      ranked: false,
      ecs: { model: modelAt({ baseUrl: server.address }), profile },
    });
    const { report } = await shaper.shape({
      query: { text: question, answer },
      chunks: passages.map(({ text }, place) => ({ id: String(place), text })),
    });
    expect(report.ecs).toMatchObject({
      trust: 'none',
      method: 'answer',
      model: profile.methods.answer?.model,
    });
    // Model and settings are those of the profile: all that is missing is the gain.
    expect(report.degradations.map(({ message }) => message)).toEqual([
      expect.stringContaining('The profile shows no sure gain'),
    ]);
  });

  test('--to - prints the profile and nothing else; a byte order mark, CRLF and blank lines are nothing', async () => {
    const data = file('windows.jsonl', `\ufeff\r\n${lines.join('\r\n\r\n')}\r\n \r\n`);
    const piped = await calibrate([...atServer(), '--data', data, '--to', '-']);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    // The server has more in its cache now.
    const withoutCache = (profile: string) => profile.replace(/"cachedShare": .*/, '');
    expect(withoutCache(piped.stdout)).toBe(withoutCache(json));
    expect(existsSync('-')).toBe(false);
  });
});

test('--verbose shows the name of the model', async () => {
  const { code, stdout, stderr } = await calibrate([...atServer(), '--verbose']);
  expect(code).toBe(0);
  const { answer } = written().methods;
  expect(answer?.model).toMatch(/^llama-server:ecs-tiny-f16\.gguf:/);
  expect(stderr).toBe(`Asking ${answer?.model}.\n`);
  expect(stdout).toContain('No method is trusted');
  expect(answer).toMatchObject({ wins: false, failed: 0, ecs: { auc: 1 } });
});

test('a judge is measured as it is', async () => {
  const service = await rerankServer('vllm', {
    score: (...pair) => 0.5 + bySynonyms(...pair) / 10,
  });
  const judge = `rerankJudge(httpReranker({ dialect: 'v1', model: 'm', baseUrl: '${service.address}' }))`;
  const words = Object.entries({
    doctor: 'physician',
    teacher: 'tutor',
    leader: 'chief',
    owner: 'proprietor',
  });
  const data = words.flatMap(([word, other]) =>
    ['Lutorjo', 'Banuko', 'Ludra', 'Zenwim', 'Bapel'].map((place) =>
      JSON.stringify({
        question: `Who is the ${word} of ${place}?`,
        passages: [
          { text: `Everyone asks who the ${word} of ${place} is.`, relevant: false },
          { text: `In ${place}, somebody works as the ${other}.`, relevant: true },
          { text: 'My cat likes to sleep in the sun.', relevant: false },
        ],
      }),
    ),
  );
  const { code, stdout } = await cli([
    ...['calibrate', '--data', file('judged.jsonl', data.join('\n')), '--to', to],
    ...setup(
      `{ ecs: { judge: ${judge} } }`,
      "import { httpReranker, rerankJudge } from 'context-shaping/rerankers';",
    ),
  ]);
  await service.close();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^reranker:v1:m:org\/model\n20 questions, 60 passages/);
  expect(Object.keys(written().methods)).toEqual(['judge']);
  expect(written().methods.judge?.ecs.auc).toBe(1);
});

describe('methods', () => {
  const unanswered = [...lines];
  unanswered[6] = (lines[6] as string).replace(/"answer":"[^"]*",/, '');

  test('answer, where a question has none, is refused before anything is asked', async () => {
    const before = server.asked.length;
    const data = file('unanswered.jsonl', `\n${unanswered.join('\n')}`);
    expect(await calibrate([...atServer(), '--data', data])).toEqual({
      code: 2,
      stdout: '',
      stderr: `context-shaping-devtools: --method answer requires an answer for every question; line 8 of ${data} has none.\n`,
    });
    expect(server.asked).toHaveLength(before);
  });
});

describe('the options that are measured', () => {
  const profileOf = async (args: string[]) => {
    const { code, stderr } = await calibrate(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return written().methods.answer as MethodFigures;
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
    const { cost: _, ...again } = await profileOf(atServer(profile));
    expect(plain).toMatchObject(again);
  });

  test('relevance has vectors with an embedder, and the profile names its model', async () => {
    writeModel(join(folder, 'tiny'), TINY);
    const imports = [
      "import { loadStaticEmbedder } from 'context-shaping/embeddings';",
      "import { llamaServer } from 'context-shaping/logprobs';",
    ].join('\n');
    const embedder = `await loadStaticEmbedder('${join(folder, 'tiny')}')`;
    const { settings } = await profileOf(
      setup(`async () => ({ ecs: { model: ${modelAtServer()} }, embedder: ${embedder} })`, imports),
    );
    expect(settings.embedder).toBe('model2vec/tiny');
  });

  test.each<[string, () => string[], string]>([
    ['is not there', () => ['--setup', join(folder, 'none.mjs')], 'Cannot load'],
    ['exports nothing', () => setup('undefined'), 'must export options of a shaper as default'],
    ['throws', () => setup("llamaServer({ baseUrl: 'here' })"), 'baseUrl must be an http or https address'],
    ['has no model', () => setup('{ ecs: { share: 0.5 } }'), 'setup.mjs'],
    ['has no ecs', () => setup('{ k: 3 }'), 'has neither ecs.model nor ecs.judge'],
    ['has a wrong option', () => atServer('share: 2'), 'setup.mjs: ecs.share must be'],
    ['has an unknown option', () => atServer('', 'embeder: 1'), 'setup.mjs: embeder'],
  ])('a setup that %s', async (_, args, message) => {
    const { code, stderr } = await calibrate(args());
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('data that will not do', () => {
  const refused = async (data: string, ...parts: string[]) => {
    const { code, stdout, stderr } = await calibrate([...atServer(), '--data', data]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const part of parts) expect(stderr).toContain(part);
    expect(existsSync(to)).toBe(false);
  };

  test('a file that is not there', () =>
    refused(join(folder, 'none'), `Cannot read ${join(folder, 'none')}: no such file`, 'Name a file'));
  test('a folder', () => refused(folder, `Cannot read ${folder}: it is a folder`));
  test('something that is no text', () => refused(GGUF, `${GGUF} is not UTF-8 text`));
  test('an empty file', () => {
    const data = file('empty', '');
    return refused(data, `${data} must have at least 20 questions (got 0)`, 'Label more');
  });
  test('too few questions', () => {
    const data = file('few', lines.slice(1).join('\n'));
    return refused(data, `${data} must have at least 20 questions (got 19)`);
  });
  test.each([
    ['half a line', '{"question": "a"', 'column 17, is not JSON: expected a comma', 'the end of the line'],
    [
      'no JSON',
      'question,answer',
      'column 1, is not JSON: expected a value',
      'question,answer',
      'one question per',
    ],
    ['a line that is no object', '3', '$ is malformed', 'got 3'],
    ['no passages', '{"question": "a"}', '$.passages is malformed', '"relevant": true or false'],
    [
      'a label that is none',
      '{"question": "a", "passages": [{"text": "b", "relevant": "yes"}]}',
      '$.passages[0].relevant is malformed',
      'got "yes"',
    ],
    ['an unknown key', '{"question": "a", "passage": []}', 'passage'],
  ])('%s, by its number', (_, line, ...parts) => {
    const data = file('wrong', `${lines.join('\r\n')}\r\n\r\n${line}\r\n${lines[0]}`);
    return refused(data, `${data}, line 22, `, ...parts);
  });
});

test('a method that is none: the choices are listed', async () => {
  const { code, stderr } = await calibrate([...atServer(), '--method', 'guess']);
  expect(code).toBe(2);
  expect(stderr).toContain('answer, expected-utility, judge, trajectory');
});

test.each([
  ['--data <file>', () => atServer()],
  ['--setup <module>', () => ['--data', labelled]],
])('%s is required', async (flag, args) => {
  const { code, stderr } = await cli(['calibrate', ...args()]);
  expect(code).toBe(2);
  expect(stderr).toContain(flag);
});

describe('a profile that cannot be written', () => {
  test.each([
    ['in a folder that is not there', () => join(folder, 'none', 'profile.json'), 'no such file or folder'],
    ['where a folder is', () => folder, 'it is a folder'],
    ['below a file', () => join(file('a', ''), 'profile.json'), 'a part of that path is a file'],
  ])('%s: nothing is asked', async (_, where, why) => {
    const before = server.asked.length;
    const at = where();
    expect(await calibrate([...atServer(), '--to', at])).toEqual({
      code: 2,
      stdout: '',
      stderr: `context-shaping-devtools: Cannot write ${at}: ${why}. Name another file with --to.\n`,
    });
    expect(server.asked).toHaveLength(before);
  });

  test.skipIf(!existsSync('/dev/full'))('once it is made, goes to standard output', async () => {
    const { code, stdout, stderr } = await calibrate([...atServer(), '--to', '/dev/full']);
    expect(code).toBe(1);
    expect(profileIn(stdout).methods.answer?.ecs.auc).toBe(1);
    expect(stderr).toMatch(/Cannot write \/dev\/full: the disk is full\. The profile is on standard output/);
  });

  test('a failed run keeps the old profile, and leaves no file if there was none', async () => {
    mkdirSync(join(folder, 'new'));
    const there = file('there.json', '{"version":1}');
    const few = ['--data', file('few', lines.slice(1).join('\n'))];
    for (const at of [there, join(folder, 'new', 'profile.json')]) {
      expect(await calibrate([...atServer(), ...few, '--to', at])).toMatchObject({ code: 2 });
    }
    expect(readFileSync(there, 'utf8')).toBe('{"version":1}');
    expect(readdirSync(join(folder, 'new'))).toEqual([]);
  });
});

describe('a service that fails', () => {
  test('it is not there: one message with the remedy', async () => {
    const gone = await jsonServer(() => ({ json: {} }));
    await gone.close();
    const { code, stdout, stderr } = await calibrate(
      setup(`{ ecs: { model: ${modelAtServer(gone.address)} } }`),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`context-shaping-devtools: GET ${gone.address}/props cannot be reached`);
    expect(stderr).toContain(`Start the server at ${gone.address}, or correct the address.`);
    expect(existsSync(to)).toBe(false);
  });

  test('one that answers no question', async () => {
    const broken = await llamaServer(Llama.parse(tinyModel()), { contextLength: 4 });
    const { code, stdout, stderr } = await calibrate(
      setup(`{ ecs: { model: ${modelAtServer(broken.address)} } }`),
    );
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
    engine = {
      loadModel: async () => ({ ...model, createContext }),
      dispose: async () => void freed.push('engine'),
    };
    return freed;
  }
  const short = Array.from({ length: 20 }, (_, n) =>
    JSON.stringify({
      question: `${n}?`,
      answer: 'b',
      passages: [
        { text: 'a b', relevant: true },
        { text: 'c d', relevant: false },
      ],
    }),
  ).join('\n');
  const inProcess = (path: string) =>
    setup(
      `async () => ({ ecs: { model: await nodeLlamaCpp({ modelPath: '${path}' }) } })`,
      "import { nodeLlamaCpp } from 'context-shaping/logprobs';",
    );
  const ask = (args: string[], setting?: Setting) =>
    calibrate([...inProcess('m.gguf'), '--data', file('short', short), ...args], setting);

  test('is freed when all is done', async () => {
    let count = 0;
    const freed = fakeEngine(() => count++);
    expect(await ask([])).toMatchObject({ code: 0, stderr: '' });
    expect(count).toBeGreaterThan(20);
    expect(freed).toEqual(['context', 'engine']);
  });

  test('is freed on Ctrl-C, and nothing is written', async () => {
    const interrupt = new AbortController();
    let count = 0;
    const freed = fakeEngine(() => {
      if (++count === 5) interrupt.abort();
    });
    expect(await ask([], { signal: interrupt.signal })).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(count).toBe(5);
    expect(freed).toEqual(['context', 'engine']);
    expect(existsSync(to)).toBe(false);
  });

  test('is not loaded when the data will not do', async () => {
    const freed = fakeEngine();
    expect(await ask(['--data', file('wrong', '{')])).toMatchObject({ code: 2 });
    expect(freed).toEqual([]);
  });

  test('by all methods that the data allow, with one bar for all', async () => {
    fakeEngine();
    const data = file('unanswered', short.replace('"answer":"b",', ''));
    const args = ['calibrate', ...inProcess('m.gguf'), '--data', data, '--to', to];
    const { code, stdout, stderr } = await cli(args, { terminal: 100 });
    expect(code).toBe(0);
    expect(Object.keys(written().methods)).toEqual(['expected-utility', 'judge', 'trajectory']);
    expect(stdout).toContain(
      `The method answer was not measured: it requires an answer for every question, and line 1 of ${data} has none.`,
    );
    const shown = Array.from(stderr.matchAll(/Questions by 3 methods [█░]{30} (\d+)\/(\d+)/g));
    expect(new Set(shown.map(([, , total]) => total))).toEqual(new Set(['60']));
    const counts = shown.map(([, count]) => Number(count));
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBe(60);
  });

  test('by a method that is named twice: once', async () => {
    fakeEngine();
    const { code, stderr } = await ask(['--method', 'judge', 'judge'], { terminal: 100 });
    expect(code).toBe(0);
    expect(Object.keys(written().methods)).toEqual(['answer', 'judge']);
    expect(stderr).toMatch(/Questions by 2 methods [█░]{30} \d+\/40/);
  });

  test('says what to install if there is no engine', async () => {
    const { code, stderr } = await calibrate(inProcess(GGUF));
    expect(code).toBe(2);
    expect(stderr).toMatch(/is not installed.*Run: npm install node-llama-cpp /);
  });
});

describe('Ctrl-C', () => {
  test('before anything', async () => {
    const signal = AbortSignal.abort();
    const outcome = await calibrate(atServer(), { signal });
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
      'calibrate',
      '--data',
      labelled,
      ...setup(`{ ecs: { model: ${modelAtServer(silent.address)} } }`),
      '--to',
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

describe('the page', () => {
  const ranking = { auc: 0.5, f1AtK: 1 };
  const even = { mean: -0.0004, low: -0.1004, p: 0.5 };
  const figures = {
    wins: false,
    reasons: ['The gain over BM25 may be chance: −1.000, p 1.000 (at most .017).'],
    model: 'm',
    share: 0.5,
    maxCandidates: 16,
    alpha: 0.05 / 3,
    settings: {},
    ecs: ranking,
    utility: ranking,
    relevance: { ...ranking, by: 'question' as const },
    bm25: { ...ranking, by: 'question' as const, vectors: true as const },
    gainOverRelevance: even,
    gainOverBm25: { mean: -1, low: -1, p: 1 },
    cost: { requestsPerQuestion: 1234.56, tokensPerQuestion: null, cachedShare: null },
    failed: 0,
  };
  const profile = { version: 2 as const, questions: 60, passages: 600, ranked: true };

  test('losses, figures that are not known, questions that failed, no winner', () => {
    const failure = 'It is asleep.';
    const methods = {
      'expected-utility': { ...figures, failed: 7 },
      judge: { ...figures, wins: true, reasons: [] },
      trajectory: { ...figures, failed: 60, failure },
    };
    expect(calibrationPage({ ...profile, methods }, 'p.json')).toMatchInlineSnapshot(`
      "m
      60 questions, 600 passages, ranked by score

      ranked by          AUC     F1  over relevance  at least  over BM25  at least  trusted
      BM25 + vectors    .500  1.000
      relevance         .500  1.000
      expected-utility  .500  1.000           +.000     −.100     −1.000    −1.000       no
      judge             .500  1.000           +.000     −.100     −1.000    −1.000      yes
      trajectory        .500  1.000           +.000     −.100     −1.000    −1.000       no

      method            share  candidates  requests per question  tokens  cached tokens
      expected-utility     .5          16                 1234.6       –              –
      judge                .5          16                 1234.6       –              –
      trajectory           .5          16                 1234.6       –              –

      AUC: how often a relevant passage ranks before an irrelevant one; .5 is chance.
      F1: the share of relevant passages among the first k, if k passages are relevant.
      over …: mean gain of AUC, over the best way to rank without the model. At least: its lower bound.
      share, candidates: the weight of utility, and how many passages to measure.
      Trusted: 60 questions or more, both bounds above 0 (level .05 / 3 methods), and no loss of F1.

      The model failed on 7 of 60 questions with the method expected-utility: those questions count as ranked by relevance.
      expected-utility: The gain over BM25 may be chance: −1.000, p 1.000 (at most .017).
      The model failed on 60 of 60 questions with the method trajectory. It is asleep.
      trajectory: The gain over BM25 may be chance: −1.000, p 1.000 (at most .017).
      Trusted: judge.
      Profile: p.json. Give its contents as ecs.profile.
      "
    `);
  });
});
