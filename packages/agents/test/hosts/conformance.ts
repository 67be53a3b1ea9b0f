/** The conversation that every host runs, the options that it runs under, and the checks of a run. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ConversationShapingOptions,
  type PassageStore,
  RECALL_TOOL,
} from '../../src/conversation/index.js';
import type { Call, Host, Reply, Run, Script, Sent } from './host.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
const FILES = [
  'commander/Readme.md',
  'ioredis/README.md',
  'gpt-tokenizer/README.md',
  'cli-progress/README.md',
];
const PARAGRAPHS = FILES.flatMap((file) =>
  readFileSync(join(ROOT, 'node_modules', file), 'utf8')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.length > 60),
);

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z]{3,}/g));
const WORDS = PARAGRAPHS.map(wordsOf);

/** Paragraphs of documentation, those with the rarest words of the query first; equal ones in their order. */
function search({ query }: Record<string, unknown>): string {
  const weights = [...wordsOf(String(query))].map((word) => {
    const having = WORDS.filter((words) => words.has(word)).length;
    return [word, having === 0 ? 0 : Math.log(WORDS.length / having)] as const;
  });
  const score = (words: ReadonlySet<string>) =>
    weights.reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0);
  return WORDS.map((words, place) => ({ place, score: score(words) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, 24)
    .map(({ place }) => PARAGRAPHS[place])
    .join('\n\n');
}

const CITIES = ['Lisbon', 'Oslo', 'Graz', 'Turin', 'Brno', 'Ghent', 'Cork', 'Malmö'];

/** A table of orders: an array of JSON objects. */
function records({ table }: Record<string, unknown>): unknown {
  return Array.from({ length: 60 }, (_, row) => ({
    id: `${table}-${row + 1}`,
    city: CITIES[row % CITIES.length],
    status: row % 7 === 3 ? 'late' : 'delivered',
    note: `Order ${row + 1} of ${table}: ${row * 37 + 11} parcels by ${row % 2 === 0 ? 'rail' : 'road'}, signed by clerk ${row % 5}.`,
  }));
}

const SEARCH = {
  name: 'search',
  description: 'Searches the documentation.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
  run: search,
};

const RECORDS = {
  name: 'records',
  description: 'Reads a table.',
  parameters: {
    type: 'object',
    properties: { table: { type: 'string' }, query: { type: 'string' } },
    required: ['table', 'query'],
    additionalProperties: false,
  },
  run: records,
};

interface Turn {
  question: string;
  /** The calls of each step; the last step is followed by the answer. */
  steps: (readonly Omit<Call, 'id'>[])[];
  /** The facts that the results must contain, in the result or by recall. */
  evidence: string;
}

const searchFor = (query: string) => ({ tool: 'search', input: { query } });
const readTable = (table: string, query: string) => ({ tool: 'records', input: { table, query } });

const turn = (question: string, evidence: string): Turn => ({
  question,
  evidence,
  steps: [[searchFor(question)]],
});

const ORDER = 'Which order has 1084 parcels?';

/** Eight turns: one calls two tools at once, one takes two steps, one repeats an earlier one. */
export const TURNS: readonly Turn[] = [
  turn('How do I declare a variadic option?', 'appending `...` to the value placeholder'),
  turn('How long does ioredis wait before it reconnects?', "It's very flexible to control how long to wait"),
  { question: ORDER, evidence: '1084 parcels', steps: [[readTable('spring', ORDER)]] },
  {
    question: 'Can I show the full help after a usage error?',
    evidence: 'change the behaviour to show the full help',
    steps: [
      [
        searchFor('Can I show the full help after a usage error?'),
        readTable('spring', 'Which orders are late?'),
      ],
    ],
  },
  turn('How do I declare a variadic option?', 'appending `...` to the value placeholder'),
  {
    question:
      'How do I hide the cursor while the progress bar runs, and output content on top of the multibars?',
    evidence: 'content on top of the multibars',
    steps: [
      [searchFor('How do I hide the cursor while the progress bar runs?')],
      [searchFor('How do I output content on top of the multibars?')],
    ],
  },
  turn('How do I set a key that expires after a minute?', 'redis.set("key", "data", "EX", 60)'),
  turn('How do I reconnect on a READONLY error?', 'using the `reconnectOnError` option'),
];

/** The turn that reads back what all turns left out, by every handle that was seen. */
const LAST = 'What else did you find about variadic options?';

const REFUSAL = /This handle is of no passage of this conversation/;
const HANDLE = new RegExp(`${RECALL_TOOL} ([\\w-]+)`);

export const THREAD = 'conformance';

/**
 * The conversation for one run. The model searches for each question, recalls by the handle in a note until it has
 * read the evidence, at most three times, and at last recalls by all handles that it saw.
 */
export function conversation(
  over: Partial<Script> & { handles?: string[] } = {},
): Script & { handles: Set<string> } {
  const { handles: known = [], ...script } = over;
  const handles = new Set(known);
  let requests = 0;
  return {
    thread: THREAD,
    system: 'Answer from the documentation and the tables. Search before you answer.',
    questions: [...TURNS.map(({ question }) => question), LAST],
    tools: [SEARCH, RECORDS],
    ...script,
    handles,
    reply(request): Reply {
      const number = ++requests;
      const asked = request.findLastIndex((sent) => 'text' in sent && sent.role === 'user');
      const since = request.slice(asked);
      const results = since.filter((sent) => sent.role === 'tool');
      const question = (since[0] as { text: string }).text;
      const recalls = results.filter(({ tool }) => tool === RECALL_TOOL).length;
      const recall = (all: readonly string[], query: string) => ({
        calls: all.map((handle, at) => ({
          id: `call-${number}-${at}`,
          tool: RECALL_TOOL,
          input: { handle, query },
        })),
      });
      if (question === LAST) {
        return recalls === 0 && handles.size > 0
          ? recall([...handles], TURNS[0]?.question ?? '')
          : { text: 'That is all.' };
      }
      const own = results.flatMap(({ result }) => HANDLE.exec(result)?.[1] ?? []);
      for (const handle of own) handles.add(handle);
      const { steps, evidence } = TURNS.find((each) => each.question === question) as Turn;
      const done = results.length - recalls;
      const step = steps.find((_, at) => steps.slice(0, at).flat().length === done);
      if (step !== undefined)
        return { calls: step.map((call, at) => ({ ...call, id: `call-${number}-${at}` })) };
      const [handle] = own;
      if (!said(since, evidence) && handle !== undefined && recalls < 3) return recall([handle], question);
      return { text: `It says: ${evidence}` };
    },
  };
}

const said = (request: readonly Sent[], text: string) =>
  request.some((sent) => sent.role === 'tool' && sent.result.includes(text));

/** A store that outlives its run, to test that a run reads no other run. */
export function mapStore(): PassageStore {
  const entries = new Map<string, string>();
  return {
    get: async (key) => entries.get(key),
    set: async (given) => {
      for (const [key, value] of given) entries.set(key, value);
    },
  };
}

const KEY = 'the key of conformance';

/** The options that every host runs under, by name. */
export const OPTION_SETS: Readonly<Record<string, ConversationShapingOptions>> = {
  'on arrival': { maxToolTokens: 700, handleKey: KEY },
  'with a budget': { maxTokens: 3600, maxToolTokens: 900, handleKey: KEY },
};

/** The failure; nothing if the check passes. `undefined`: the host cannot be checked. */
export type Check = (run: Run, reference: Run) => string[] | undefined;

const textOf = (sent: Sent) =>
  'text' in sent
    ? sent.text
    : 'call' in sent
      ? JSON.stringify(sent.call)
      : `${sent.id} ${sent.tool} ${sent.result}`;

/** The first place where two requests differ, in words. */
const difference = (a: Sent | undefined, b: Sent | undefined) =>
  `${a === undefined ? 'nothing' : textOf(a).slice(0, 300)} ≠ ${b === undefined ? 'nothing' : textOf(b).slice(0, 300)}`;

/** Documented in `docs/results/conformance.md`. */
export const CHECKS: Readonly<Record<string, Check>> = {
  decisions: (run, reference) => {
    if (run.reports.length === 0) return undefined;
    const [mine, its] = [run, reference].map(({ reports }) => reports.map(({ digest }) => digest));
    if (mine?.length !== its?.length) return [`${mine?.length} reports, not ${its?.length}`];
    const at = mine?.findIndex((digest, place) => digest !== its?.[place]) ?? -1;
    return at < 0 ? [] : [`report ${at}: ${shown(run, at)} ≠ ${shown(reference, at)}`];
  },
  pairs: ({ requests }) =>
    requests.flatMap((request, at) => {
      const calls = request.flatMap((sent) => ('call' in sent ? [sent.call.id] : []));
      const results = request.flatMap((sent) => (sent.role === 'tool' ? [sent.id] : []));
      return JSON.stringify(calls.toSorted()) === JSON.stringify(results.toSorted())
        ? []
        : [`request ${at}: calls ${calls}, results ${results}`];
    }),
  bytes: (run, reference) => {
    const at = run.requests.findIndex(
      (request, place) =>
        JSON.stringify(canonical(request)) !== JSON.stringify(canonical(reference.requests[place] ?? [])),
    );
    if (at < 0)
      return run.requests.length === reference.requests.length ? [] : ['another number of requests'];
    const [mine, its] = [run, reference].map(({ requests }) => canonical(requests[at] ?? []));
    const place =
      mine?.findIndex((sent, place) => textOf(sent) !== textOf(its?.[place] ?? { role: 'user', text: '' })) ??
      0;
    return [`request ${at}, piece ${place}: ${difference(mine?.[place], its?.[place])}`];
  },
  evidence: ({ requests }) => {
    const answered = TURNS.map(({ question, evidence }, at) =>
      requests.some((request) => {
        const asked = request.findLastIndex((sent) => 'text' in sent && sent.role === 'user');
        const since = request.slice(asked);
        return (since[0] as { text: string }).text === question && said(since, evidence) ? at >= 0 : false;
      }),
    );
    return answered.flatMap((each, at) => (each ? [] : [`turn ${at}: ${TURNS[at]?.evidence}`]));
  },
  recall: ({ requests }) => {
    const last = requests.at(-1) ?? [];
    const asked = last.findLastIndex((sent) => 'text' in sent && sent.role === 'user');
    const recalled = last.slice(asked).flatMap((sent) => (sent.role === 'tool' ? [sent] : []));
    const refused = recalled.filter(({ tool, result }) => tool !== RECALL_TOOL || REFUSAL.test(result));
    if (recalled.length < 5) return [`only ${recalled.length} handles were shown`];
    return refused.map((sent) => textOf(sent).slice(0, 200));
  },
  prefix: ({ requests, reports }) =>
    requests.flatMap((request, at) => {
      if (at === 0) return [];
      const before = requests[at - 1] ?? [];
      const same = before.findIndex(
        (sent, place) => textOf(sent) !== textOf(request[place] ?? { role: 'user', text: '' }),
      );
      const rewritten = (reports[at]?.cache.rewrites ?? 0) > (reports[at - 1]?.cache.rewrites ?? 0);
      return same < 0 || rewritten
        ? []
        : [`request ${at}, piece ${same}: ${difference(before[same], request[same])}`];
    }),
  given: ({ unchanged }) =>
    unchanged === undefined ? undefined : unchanged ? [] : ['the host has other messages than before'],
};

const shown = ({ reports }: Run, at: number) => {
  const { tokens, results, dropped } = reports[at] ?? {};
  return JSON.stringify({ tokens, dropped, results }).slice(0, 1200);
};

/** One system text, and calls and texts of one answer in one order: hosts differ in these alone. */
function canonical(request: readonly Sent[]): Sent[] {
  const system = request
    .flatMap((sent) => (sent.role === 'system' && 'text' in sent ? [sent.text] : []))
    .join('\n');
  return [{ role: 'system', text: system }, ...request.filter(({ role }) => role !== 'system')];
}

/** A recall in another conversation, with the key, the store and the handle of the first. */
export async function foreignHandle(host: Host, options: ConversationShapingOptions): Promise<string[]> {
  const shared = { ...options, store: mapStore() };
  const own = conversation({ questions: TURNS.map(({ question }) => question) });
  await host.run(own, shared);
  const handles = [...own.handles];
  if (handles.length === 0) return ['no handle was shown'];
  const { requests } = await host.run(
    conversation({ thread: 'another', questions: [LAST], handles }),
    shared,
  );
  const answers = requests.at(-1)?.flatMap((sent) => (sent.role === 'tool' ? [sent.result] : [])) ?? [];
  if (answers.length !== handles.length) return [`${answers.length} answers for ${handles.length} handles`];
  return answers
    .filter((answer) => !REFUSAL.test(answer))
    .map((answer) => `answered: ${answer.slice(0, 200)}`);
}

/** An image beside a question, in the report of its request. */
export async function declaredImage(
  host: Host,
  options: ConversationShapingOptions,
): Promise<string[] | undefined> {
  if (!host.takesImages) return undefined;
  const questions = TURNS.slice(0, 2).map(({ question }) => question);
  const { reports } = await host.run(conversation({ questions, images: [1] }), options);
  const counts = reports.map(({ images }) => images?.count ?? 0);
  if (counts.length === 0) return undefined;
  const right = counts[0] === 0 && counts.at(-1) === 1;
  return right ? [] : [`images per request: ${counts}`];
}
