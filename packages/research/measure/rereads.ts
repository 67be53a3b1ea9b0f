/**
 * An agent over twenty turns with large results of tools, without shaping and with it: all tokens, the share that repeats
 * the request before, the turns that it needs to read left-out passages again, and the price. The model is a script: it
 * reads again, by the handle of the note, until it has the evidence, at most three times in a turn. No model is called, and
 * nothing depends on a network or a clock.
 * `npm run research -- measure/rereads [--read 0.1] [--write 1.25] [--output 5] [--minimum 512] [--dollars 5]` prints the
 * table of docs/results/tokens.md; prices are in prices of one input token, `--dollars` is the price of a million.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { estimateTokens } from 'context-shaping';
import { type ConversationShapingOptions, RECALL_TOOL } from 'context-shaping-agents';
import { engineHost } from '../../agents/test/hosts/engine-host.js';
import type { Reply, Script, Sent } from '../../agents/test/hosts/host.js';
import { priceRequests, tokensIn } from '../../agents/test/langchain/priced-requests.js';

const { values } = parseArgs({
  options: {
    read: { type: 'string', default: '0.1' },
    write: { type: 'string', default: '1.25' },
    output: { type: 'string', default: '5' },
    minimum: { type: 'string', default: '512' },
    dollars: { type: 'string', default: '5' },
  },
});
const [read, write, output, minimum, dollars] = [
  values.read,
  values.write,
  values.output,
  values.minimum,
  values.dollars,
].map(Number) as [number, number, number, number, number];

/** Most calls of the recall tool in a turn. */
const MOST_RECALLS = 3;
/** Tokens of an answer of the model besides the evidence. */
const ANSWER = 60;

const FILES = ['commander/lib/command.js', 'commander/lib/help.js', 'ioredis/built/Redis.js'];
const CITIES = ['Lisbon', 'Oslo', 'Graz', 'Turin', 'Brno', 'Ghent', 'Cork', 'Malmö'];

const orders = (table: string) =>
  Array.from({ length: 300 }, (_, row) => ({
    id: `${table}-${row + 1}`,
    city: CITIES[row % CITIES.length],
    status: row % 7 === 3 ? 'late' : 'delivered',
    note: `Order ${row + 1} of ${table}: ${row * 37 + 11} parcels by ${row % 2 === 0 ? 'rail' : 'road'}, signed by clerk ${row % 5}.`,
  }));

const log = (run: number) =>
  Array.from({ length: 1200 }, (_, line) => {
    const time = `12:${String(Math.floor(line / 60)).padStart(2, '0')}:${String(line % 60).padStart(2, '0')}`;
    if (line === 700 + run)
      return `${time} ERROR payment-${run} refused: card ${run * 7919} expired, order ${run}-${line}`;
    return line % 40 === run
      ? `${time} WARN queue ${run}-${line} waits for ${line * 3} ms`
      : `${time} INFO worker ${line % 12} finished job ${run}-${line} in ${(line * 7) % 90} ms`;
  }).join('\n');

const text = (description: string, name: string, run: (name: string) => unknown) => ({
  name,
  description,
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
  run: ({ of }: Record<string, unknown>) => run(String(of)),
});

const TOOLS = [
  text('Reads a file.', 'read_file', (of) => readFileSync(`node_modules/${of}`, 'utf8')),
  text('Reads a table of orders.', 'orders', orders),
  text('Reads the log of a run.', 'log', (of) => log(Number(of))),
];

interface Task {
  question: string;
  tool: string;
  of: string;
  /** The request has it before the model answers. */
  evidence: string;
}

const file = (of: string, question: string, evidence: string): Task => ({
  question,
  tool: 'read_file',
  of,
  evidence,
});
const order = (of: string, question: string, evidence: string): Task => ({
  question,
  tool: 'orders',
  of,
  evidence,
});
const run = (of: number, question: string, evidence: string): Task => ({
  question,
  tool: 'log',
  of: String(of),
  evidence,
});

/** A question about a result of an earlier turn calls no tool: the result is in the list, or is read again. */
const TASKS: readonly Task[] = [
  run(1, 'Why did run 1 refuse the payment?', 'card 7919 expired'),
  file(FILES[0] as string, 'How does a command add a help option?', 'addHelpOption(option)'),
  order('spring', 'Which order of spring has 1084 parcels?', '1084 parcels'),
  run(1, 'How long did queue 1-481 wait in run 1?', 'queue 1-481 waits for 1443 ms'),
  file(FILES[1] as string, 'Which method wraps the lines of the help?', 'boxWrap(str, width)'),
  run(2, 'Why did run 2 refuse the payment?', 'card 15838 expired'),
  order(
    'spring',
    'Who signed order 77 of spring?',
    'Order 77 of spring: 2823 parcels by rail, signed by clerk 1',
  ),
  order('summer', 'Which order of summer has 3711 parcels?', '3711 parcels'),
  file(FILES[2] as string, 'How does Redis end a connection silently?', 'silentEmit'),
  run(3, 'Why did run 3 refuse the payment?', 'card 23757 expired'),
  file(FILES[0] as string, 'Which method of a command excludes unknown options?', 'allowUnknownOption('),
  run(4, 'Which job took 0 ms in run 4 after 12:01:00?', 'finished job 4-90 in 0 ms'),
  order('autumn', 'Which order of autumn has 7781 parcels?', '7781 parcels'),
  order('autumn', 'Which orders of autumn to Malmö are late?', '"id":"autumn-32"'),
  run(2, 'How long did queue 2-882 wait in run 2?', 'queue 2-882 waits for 2646 ms'),
  file(FILES[1] as string, 'How does the help sort subcommands?', 'sortSubcommands'),
  run(5, 'Why did run 5 refuse the payment?', 'card 39595 expired'),
  order('winter', 'Who signed order 250 of winter?', 'Order 250 of winter'),
  file(FILES[2] as string, 'How does Redis duplicate a client?', 'duplicate(override)'),
  run(5, 'Which job was last in run 5?', 'finished job 5-1199'),
];

/** The script of the model, with the number of its calls by kind and of the answers with evidence. */
function scripted() {
  const made = { requests: 0, recalls: 0, found: 0, output: 0 };
  const known = new Map<string, string>();
  const script: Script = {
    system: 'Answer from the tools.',
    questions: TASKS.map(({ question }) => question),
    tools: TOOLS,
    reply(request): Reply {
      const said = replyTo(request, made.requests++);
      made.output += estimateTokens(JSON.stringify(said)) + ('text' in said ? ANSWER : 0);
      return said;
    },
  };

  function replyTo(request: readonly Sent[], number: number): Reply {
    const asked = request.findLastIndex((sent) => sent.role === 'user');
    const task = TASKS.find(({ question }) => question === (request[asked] as { text: string }).text) as Task;
    const { tool, of, evidence, question } = task;
    if (request.some((sent) => sent.role === 'tool' && sent.result.includes(evidence))) {
      made.found++;
      return { text: `It says: ${evidence}` };
    }
    const since = request.slice(asked).filter((sent) => sent.role === 'tool');
    const own = `${tool} ${of}`;
    const id = known.get(own);
    const call = (name: string, input: Record<string, unknown>) => ({
      calls: [{ id: `call-${number}`, tool: name, input }],
    });
    const recalls = since.filter((sent) => sent.tool === RECALL_TOOL);
    const result = request.find((sent) => sent.role === 'tool' && sent.id === id);
    const handle = /recall_passage ([\w-]+)/.exec(
      result !== undefined && 'result' in result ? result.result : '',
    )?.[1];
    if (handle !== undefined && recalls.length < MOST_RECALLS) {
      made.recalls++;
      return call(RECALL_TOOL, { handle, query: question });
    }
    // The result left the list with its turn, so the tool is called again.
    if (result === undefined && since.length === recalls.length) {
      known.set(own, `call-${number}`);
      return call(tool, { of });
    }
    return { text: 'I cannot find it.' };
  }
  return { script, made };
}

async function measured(name: string, options: ConversationShapingOptions) {
  const { script, made } = scripted();
  const { requests, reports } = await engineHost().run(script, {
    ...options,
    handleKey: 'the key of this run',
  });
  const sent = requests.map((request) =>
    request.map((each) => {
      const written = JSON.stringify(each);
      return { text: written, tokens: estimateTokens(written) };
    }),
  );
  const bill = priceRequests(sent, { read, write, minimum, inside: true });
  const later = sent.slice(1).reduce((sum, request) => sum + tokensIn(request), 0);
  const all = later + tokensIn(sent[0] ?? []);
  const cost = bill.cost + made.output * output;
  const rate = reports.at(-1)?.recalls?.rate ?? 0;
  return [
    name,
    made.requests,
    made.recalls,
    rate.toFixed(2),
    `${made.found} of ${TASKS.length}`,
    all,
    `${((100 * bill.stable.reduce((sum, each) => sum + each, 0)) / later).toFixed(1)} %`,
    bill.rewrites,
    Math.round(cost),
    `$${((cost * dollars) / 1e6).toFixed(3)}`,
  ];
}

const head = [
  '',
  'requests',
  'recalls',
  'recalls per shaped result',
  'answered',
  'input tokens',
  'prefix as before',
  'rewrites',
  'price in input tokens',
  'price',
];
const rows = [
  await measured('whole', { maxToolTokens: Number.MAX_SAFE_INTEGER, prices: { read, write } }),
  await measured('results of 4,000', { maxToolTokens: 4000, prices: { read, write } }),
  await measured('and requests of 32,000', {
    maxToolTokens: 4000,
    maxTokens: 32_000,
    prices: { read, write },
  }),
  await measured('results of 2,000, requests of 16,000', {
    maxToolTokens: 2000,
    maxTokens: 16_000,
    prices: { read, write },
  }),
];
const shown = (cell: string | number) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell);
console.log(
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(shown).join(' | ')} |`).join('\n'),
);
