import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShaper } from 'context-shaping';
import {
  type CalibrationProfile,
  type Gain,
  type LabelledQuestion,
  type MethodFigures,
  llamaServer as modelAt,
} from 'context-shaping/logprobs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { calibrationPage } from '../../../../adapters/cli/calibrate-page.js';
import { cli, type Outcome, type Setting, start } from '../../../adapters/cli/harness.js';
import { TINY, writeModel } from '../../../adapters/embeddings/static-model.js';
import { fakeLlama } from '../../../adapters/logprobs/fake-llama.js';
import { tinyModel } from '../../../adapters/logprobs/items.js';
import {
  type Asked,
  type JsonServer,
  jsonServer,
  type Reply,
} from '../../../adapters/logprobs/servers/json-server.js';
import { type LlamaServer, llamaServer } from '../../../adapters/logprobs/servers/llama-server.js';
import { OLLAMA_MODEL, ollamaServer } from '../../../adapters/logprobs/servers/ollama.js';
import { VLLM_MODEL, vllmServer } from '../../../adapters/logprobs/servers/vllm.js';
import { Llama } from '../../../gguf/llama.js';

const GGUF = 'test/fixtures/ecs-tiny/ecs-tiny-f16.gguf';

const root = mkdtempSync(join(tmpdir(), 'context-shaping-calibrate-'));
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
const atServer = () => ['--base-url', server.address];
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

describe('servers', () => {
  test('llama-server is the provider without --provider; --verbose shows the requests', async () => {
    const { code, stdout, stderr } = await calibrate(['--base-url', server.address, '--verbose']);
    expect(code).toBe(0);
    const { answer } = written().methods;
    expect(answer?.model).toMatch(/^llama-server:ecs-tiny-f16\.gguf:/);
    expect(stderr).toBe(`Asking ${answer?.model}.\n`);
    expect(stdout).toContain('No method is trusted');
    expect(answer).toMatchObject({ wins: false, failed: 0, ecs: { auc: 1 } });
  });

  test.each<[string, (llama: Llama) => Promise<JsonServer>, string[], RegExp]>([
    ['ollama', ollamaServer, ['--model', OLLAMA_MODEL], /^ollama:tiny:latest:sha256:/],
    ['openai', vllmServer, ['--model', VLLM_MODEL], /^openai:tiny:/],
  ])('%s', async (provider, open, args, name) => {
    const other = await open(Llama.parse(tinyModel()));
    const path = provider === 'openai' ? '/v1' : '';
    const where = ['--base-url', other.address + path];
    try {
      const { code, stderr } = await calibrate(['--provider', provider, ...args, ...where]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(written()).toMatchObject({
        methods: { answer: { model: expect.stringMatching(name), failed: 0 } },
      });
    } finally {
      await other.close();
    }
  });

  test('OLLAMA_HOST is the address where no flag is', async () => {
    const ollama = await jsonServer(() => ({ json: { models: [] } }));
    const env = { OLLAMA_HOST: ollama.address.replace('http://', '') };
    const { code, stderr } = await calibrate(['--provider', 'ollama', '--model', 'none'], { env });
    await ollama.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^context-shaping: --model is not known to Ollama \(got "none"\)\..*ollama pull none/,
    );
  });

  test.each([
    ['LLAMA_API_KEY', []],
    ['OPENAI_API_KEY', ['--provider', 'openai', '--model', 'm']],
  ])('%s goes there; one that is wanted and missing is named', async (name, args) => {
    const isAllowed = ({ headers }: Asked) => headers.authorization === 'Bearer key of mine';
    const keeper = await jsonServer((asked): Reply => ({ status: isAllowed(asked) ? 404 : 401, json: {} }));
    const there = [...args, '--base-url', keeper.address];
    const without = await calibrate(there);
    const { stderr } = await calibrate(there, { env: { [name]: 'key of mine' } });
    await keeper.close();
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Give the key that the server expects in ${name}.`),
    });
    expect(stderr).toContain('refuses the request (got "404');
  });
});

describe('methods', () => {
  const unanswered = [...lines];
  unanswered[6] = (lines[6] as string).replace(/"answer":"[^"]*",/, '');

  test('answer, where a question has none, is refused before anything is asked', async () => {
    const before = server.asked.length;
    const data = file('unanswered.jsonl', `\n${unanswered.join('\n')}`);
    expect(await calibrate(['--base-url', server.address, '--data', data])).toEqual({
      code: 2,
      stdout: '',
      stderr: `context-shaping: --method answer requires an answer for every question; line 8 of ${data} has none.\n`,
    });
    expect(server.asked).toHaveLength(before);
  });
});

describe('the options that are measured', () => {
  const profileOf = async (...args: string[]) => {
    const { code, stderr } = await calibrate([...atServer(), ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return written().methods.answer as MethodFigures;
  };

  test('the profile contains --share, --max-candidates, --options and --prompt', async () => {
    const options = file(
      'options.json',
      JSON.stringify({ relevance: { weights: { bm25: 3 } }, ecs: { rounds: 1 }, tokenizer: 'characters/4' }),
    );
    const prompt = file('prompt.txt', 'Context:\n{context}\n\nQuestion: {question}\nAnswer:\n');
    const given = ['--share', '.6', '--max-candidates', '2', '--options', options, '--prompt', prompt];
    const verdict = await profileOf(...given);
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

  test('--chat-template: the model is asked in its template, which is part of its name', async () => {
    const { code } = await calibrate(['--base-url', server.address, '--chat-template']);
    expect(code).toBe(0);
    expect(written().methods.answer?.model).toMatch(/:chat-[0-9a-f]{12}$/);
  });

  test('--embedder: relevance has vectors, and the profile names the model', async () => {
    writeModel(join(folder, 'tiny'), TINY);
    const { settings } = await profileOf('--embedder', join(folder, 'tiny'));
    expect(settings.embedder).toBe('model2vec/tiny');
  });

  test.each<[string, () => string[], string]>([
    ['--share', () => ['--share', '2'], '--share must be'],
    ['--share', () => ['--share', 'half'], 'Give a number, such as 0.5.'],
    ['--max-candidates', () => ['--max-candidates', '0'], '--max-candidates must be'],
    ['--prompt', () => ['--prompt', file('p', 'only {context}')], '{question} is missing'],
    ['--prompt', () => ['--prompt', join(folder, 'none')], 'no such file'],
    [
      '--options',
      () => ['--options', file('o', '{"k": 3}')],
      'has the option "k", which a calibration does not use',
    ],
    ['--options', () => ['--options', file('o', '[]')], 'must hold an object of options'],
    [
      '--options',
      () => ['--options', file('o', '{"relevance": {"weights": {"bm25": -1}}}')],
      'relevance.weights.bm25',
    ],
    ['--embedder', () => ['--embedder', join(folder, 'none')], 'none'],
  ])('%s that will not do', async (_, args, message) => {
    const { code, stderr } = await calibrate([...atServer(), ...args()]);
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

describe('flags that will not do', () => {
  test.each([
    [[], 'Without --provider the default is llama-server, which requires --base-url'],
    [['--model', 'qwen3:4b'], 'Without --provider the default is llama-server, which requires --base-url'],
    [['--provider', 'llama-server'], '--provider llama-server requires --base-url'],
    [['--provider', 'ollama'], '--provider ollama requires --model'],
    [['--provider', 'openai', '--model', 'a'], '--provider openai requires --base-url'],
    [['--provider', 'openai', '--base-url', 'http://a'], '--provider openai requires --model'],
    [['--provider', 'node-llama-cpp', '--model', ''], '--provider node-llama-cpp requires --model'],
    [['--model', GGUF, '--chat-template'], 'which does not support --chat-template'],
    [
      ['--model', GGUF, '--base-url', 'http://a'],
      'a .gguf file runs in this process, which does not support --base-url',
    ],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await calibrate(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${message}. context-shaping calibrate --help shows examples.`);
  });

  test.each([
    [['--provider', 'what'], 'llama-server, ollama, openai, node-llama-cpp'],
    [['--method', 'guess'], 'answer, expected-utility, judge, trajectory'],
  ])('%j: the choices are listed', async (args, choices) => {
    expect(await calibrate(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(choices) });
  });

  test('an address that is none, named as it was given', async () => {
    expect((await calibrate(['--base-url', 'here'])).stderr).toMatch(
      /: --base-url must be an http or https address .*"here"/,
    );
    const env = { OLLAMA_HOST: 'ftp://here' };
    const args = ['--provider', 'ollama', '--model', 'm'];
    const { code, stderr } = await calibrate(args, { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/: OLLAMA_HOST must be an http or https address .*"ftp:\/\/here/);
    expect((await calibrate([...args, '--base-url', 'ftp://there'], { env })).stderr).toMatch(
      /: --base-url must be an http or https address .*"ftp:\/\/there/,
    );
  });

  test('no --data', async () => {
    const { code, stderr } = await cli(['calibrate', ...atServer()]);
    expect(code).toBe(2);
    expect(stderr).toContain('--data <file>');
  });
});

describe('a profile that cannot be written', () => {
  test.each([
    ['in a folder that is not there', () => join(folder, 'none', 'profile.json'), 'no such file or folder'],
    ['where a folder is', () => folder, 'it is a folder'],
    ['below a file', () => join(file('a', ''), 'profile.json'), 'a part of that path is a file'],
  ])('%s: nothing is asked', async (_, where, why) => {
    const before = server.asked.length;
    const at = where();
    expect(await calibrate(['--base-url', server.address, '--to', at])).toEqual({
      code: 2,
      stdout: '',
      stderr: `context-shaping: Cannot write ${at}: ${why}. Name another file with --to.\n`,
    });
    expect(server.asked).toHaveLength(before);
  });

  test.skipIf(!existsSync('/dev/full'))('once it is made, goes to standard output', async () => {
    const { code, stdout, stderr } = await calibrate(['--base-url', server.address, '--to', '/dev/full']);
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
  test.each([
    ['llama-server', '/props', []],
    ['ollama', '/api/tags', ['--model', 'm']],
    ['openai', '/v1/models', ['--model', 'm']],
  ])('%s is not there: one message with the remedy', async (provider, path, args) => {
    const gone = await jsonServer(() => ({ json: {} }));
    await gone.close();
    const at = gone.address + (provider === 'openai' ? '/v1' : '');
    const { code, stdout, stderr } = await calibrate(['--provider', provider, ...args, '--base-url', at]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`context-shaping: GET ${gone.address}${path} cannot be reached`);
    expect(stderr).toContain(`Start the server at ${gone.address}, or correct the address.`);
    expect(existsSync(to)).toBe(false);
  });

  test('one that answers no question', async () => {
    const broken = await llamaServer(Llama.parse(tinyModel()), { contextLength: 4 });
    const { code, stdout, stderr } = await calibrate(['--base-url', broken.address]);
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
  const ask = (args: string[], setting?: Setting) =>
    calibrate(['--model', 'm.gguf', '--data', file('short', short), ...args], setting);

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

  test('is freed when the data will not do', async () => {
    const freed = fakeEngine();
    expect(await ask(['--data', file('few', '')])).toMatchObject({ code: 2 });
    expect(freed).toEqual(['context', 'engine']);
  });

  test('by all methods that the data allow, with one bar for all', async () => {
    fakeEngine();
    const data = file('unanswered', short.replace('"answer":"b",', ''));
    const args = ['calibrate', '--model', 'm.gguf', '--data', data, '--to', to];
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
    const { code, stderr } = await calibrate(['--model', GGUF]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/is not installed.*Run: npm install node-llama-cpp /);
  });
});

describe('Ctrl-C', () => {
  test('before anything', async () => {
    const signal = AbortSignal.abort();
    const outcome = await calibrate(['--base-url', server.address], { signal });
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
    const args = ['calibrate', '--data', labelled, '--base-url', silent.address, '--to', to];
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
