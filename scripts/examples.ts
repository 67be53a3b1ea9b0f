/** The files of `examples/`: their descriptions, and runs of them with stand-ins for services that are not there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContextShapingError } from 'context-shaping';

/** All examples, in the order of the list and the gallery. */
export const GROUPS = {
  'Without a framework': ['on-its-own', 'untrusted-passages', 'custom-stage', 'service'],
  LangChain: ['langchain-chain', 'langchain-agent'],
  LangGraph: ['langgraph-node', 'langgraph-crag', 'langgraph-review'],
  'AI SDK': ['ai-sdk-agent'],
  LlamaIndex: ['llamaindex-query-engine', 'llamaindex-chat-engine'],
  Embeddings: ['static-embeddings'],
  'Log-probabilities (ECS)': ['ecs-in-process', 'ecs-llama-server', 'ecs-ollama', 'ecs-vllm'],
  Rerankers: ['reranker'],
} as const;

export interface Example {
  name: string;
  group: string;
  /** The code. */
  text: string;
  /** One sentence: what the example shows. */
  shows: string;
  /** One or two sentences that begin with "Look at". */
  lookAt: string;
  /** The commands to run before a copy of the example, one a line. */
  setup: string;
  /** The rest of its first comment: settings, services. */
  notes: string;
}

const ROOT = new URL('../', import.meta.url);

export const examples: readonly Example[] = Object.entries(GROUPS).flatMap(([group, names]) =>
  names.map((name) => read(group, name)),
);

/** Reads the first comment of an example. Its paragraphs are `shows`, `lookAt`, `setup` and `notes`. */
function read(group: string, name: string): Example {
  const text = readFileSync(new URL(`examples/${name}.ts`, ROOT), 'utf8');
  const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(text)?.[1]?.replace(/^ \* ?/gm, '') ?? '';
  const [shows = '', lookAt = '', setup = '', ...notes] = comment.split('\n\n');
  const inOneLine = (paragraph: string) => paragraph.replaceAll('\n', ' ');
  return {
    ...{ name, group, text, shows: inOneLine(shows), lookAt: inOneLine(lookAt) },
    setup: setup.replace(/^ {4}/gm, ''),
    notes: notes.map(inOneLine).join('\n\n'),
  };
}

interface RunOptions {
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Standard output goes to that of this process, or into the result. */
  output?: 'inherit' | 'pipe';
  /** Takes stand-ins only, so that every machine prints the same. */
  standInsOnly?: boolean;
  /** A folder with the examples in JavaScript and the built package: they start sooner. Default: the sources. */
  project?: string;
}

/**
 * Runs an example in a process of its own. The first line is `shows`, and the last one `lookAt`. A service
 * or a model that is neither set nor installed gets a stand-in, unless `--ollama` asks for the real one.
 */
export async function runExample(
  { name, text, shows, lookAt }: Example,
  { args = [], env = process.env, output = 'inherit', standInsOnly = false, project }: RunOptions = {},
): Promise<{ code: number; stdout: string }> {
  let stdout = '';
  const say = (lines: string) => {
    if (output === 'inherit') process.stdout.write(lines);
    else stdout += lines;
  };
  say(`${shows}\n`);
  const isUnset = (variable: string) => standInsOnly || env[variable] === undefined;
  const hasFakes = text.includes("'--ollama'");
  if (hasFakes && args.includes('--ollama')) await checkOllama(env.OLLAMA_HOST);

  // Loaded on demand, because most examples need no stand-in.
  const { startServices } = VARIABLES.test(text) ? await import('../test/documents/services.js') : {};
  await using standIns = await startServices?.(
    text,
    (variable) => VARIABLES.test(variable) && isUnset(variable) && !(hasFakes && variable === 'OLLAMA_HOST'),
  );
  const variables = Object.keys(standIns?.env ?? {}).filter((variable) => VARIABLES.test(variable));
  const hasEngine = !text.includes('nodeLlamaCpp(') || !variables.includes('GGUF') || isInstalled(ENGINE);
  const needsEngine = !hasEngine || (standInsOnly && text.includes('nodeLlamaCpp('));
  if (variables.length > 0) say(`(Not set, so a stand-in is used: ${variables.join(', ')}.)\n`);
  if (needsEngine) say(`(${ENGINE} is not installed: the model runs in plain TypeScript.)\n`);
  say('\n');

  const program = spawn(
    process.execPath,
    // The stand-in for the engine is there in TypeScript alone.
    project !== undefined && !needsEngine
      ? [join(project, `${name}.js`), ...args]
      : [
          ...['--conditions=context-shaping-source', '--import', import.meta.resolve('tsx')],
          ...(needsEngine ? ['--import', new URL('scripts/stand-in-engine.mjs', ROOT).href] : []),
          ...[fileURLToPath(new URL(`examples/${name}.ts`, ROOT)), ...args],
        ],
    { env: { ...env, ...standIns?.env }, stdio: ['inherit', output, 'inherit'] },
  );
  program.stdout?.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
  });
  const [code] = (await once(program, 'close')) as [number | null];
  if (code === 0) say(`\n${lookAt}\n`);
  return { code: code ?? 1, stdout };
}

const ENGINE = 'node-llama-cpp';

/** The variables from which examples read the address of a service, or the place of a model. */
const VARIABLES = /\b(?:CONTEXT_SHAPING_MODEL|GGUF|LLAMA_SERVER_URL|OLLAMA_HOST|RERANKER_URL|VLLM_URL)\b/;

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** @throws ContextShapingError `service`, if no server answers: at once, while LangChain would try again for minutes. */
async function checkOllama(host = 'http://127.0.0.1:11434'): Promise<void> {
  const problem = await fetch(host).then(
    () => undefined,
    (cause) => cause,
  );
  if (problem === undefined) return;
  throw new ContextShapingError('service', {
    field: 'OLLAMA_HOST',
    value: host,
    is: 'cannot be reached',
    remedy:
      'Start Ollama (`ollama serve`), set OLLAMA_HOST, or leave out --ollama: the example runs offline, too.',
    cause: problem,
  });
}
