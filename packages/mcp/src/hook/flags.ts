/** The flags of `context-shaping-mcp hook`. */
import { parseArgs } from 'node:util';

export interface HookFlags {
  kind?: string;
  maxTokens: number;
  minTokens: number;
  tools?: string[];
  except?: string[];
  query?: string;
  keep?: (string | RegExp)[];
  store?: string;
  /** In seconds. */
  timeout: number;
}

/** Tokens of an output by default: as many as agents give a result. */
const MOST_TOKENS = 4000;

/** Claude Code ends a hook after 60 seconds, and the plugin's after 30; it then shows the output as it was. */
const MOST_SECONDS = 20;

/** Each flag as its help shows it. `many`: it may be repeated. */
export const HOOK_FLAGS: readonly { name: string; value: string; help: string; many?: true }[] = [
  { name: 'kind', value: 'name', help: 'kind of the output, such as log or diff; absent: it is recognised' },
  {
    name: 'max-tokens',
    value: 'count',
    help: `maximum tokens of an output, with its note; absent: ${MOST_TOKENS}`,
  },
  { name: 'min-tokens', value: 'count', help: 'outputs up to this size pass whole; absent: --max-tokens' },
  { name: 'tools', value: 'name', many: true, help: 'shape outputs of this tool alone; * is any characters' },
  { name: 'except', value: 'name', many: true, help: 'pass outputs of this tool whole; * is any characters' },
  {
    name: 'query',
    value: 'text',
    help: 'question that the output should answer; absent: the usual one of its kind',
  },
  {
    name: 'keep',
    value: 'what',
    many: true,
    help: 'keep the parts with identifiers, urls, paths or dates, or with a match of /EXPRESSION/',
  },
  {
    name: 'timeout',
    value: 'seconds',
    help: `longest time after the end of the input; then the output passes whole; absent: ${MOST_SECONDS}`,
  },
  { name: 'store', value: 'folder', help: 'keep each shaped output there, whole, for recall' },
];

/** A reason to pass an output as it is. Its message has no text of the output. */
export class Passes extends Error {
  override readonly name = 'Passes';
}

/**
 * Reads the flags without commander, which takes as long to load as Node takes to start.
 *
 * @throws Passes if one is unknown or wrong.
 */
export function hookFlagsIn(args: readonly string[]): HookFlags {
  const options = Object.fromEntries(
    HOOK_FLAGS.map(({ name, many = false }) => [name, { type: 'string' as const, multiple: many }]),
  );
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args: [...args], options, strict: true }));
  } catch (error) {
    // The message goes on with advice.
    const problem = (error as Error).message.replace(/\.\s.*/s, '').replace(/\.$/, '');
    throw new Passes(`${problem}. The flags are ${HOOK_FLAGS.map(({ name }) => `--${name}`).join(', ')}`);
  }
  return hookFlags(values);
}

/**
 * @param values the values of the flags as they were written, by their names.
 * @throws Passes for a number that is none.
 */
export function hookFlags(values: Readonly<Record<string, unknown>>): HookFlags {
  const { 'max-tokens': most, 'min-tokens': least, timeout: longest, keep, ...texts } = values;
  const maxTokens = wholeNumber('--max-tokens', most) ?? MOST_TOKENS;
  const minTokens = wholeNumber('--min-tokens', least) ?? maxTokens;
  const timeout = Math.min(wholeNumber('--timeout', longest) ?? MOST_SECONDS, 2_000_000);
  return { ...texts, maxTokens, minTokens, timeout, ...(Array.isArray(keep) && { keep: keep.map(keptOf) }) };
}

/** A name, or the expression between two slashes, with its flags. */
function keptOf(written: string): string | RegExp {
  const [, source, flags] = /^\/(.+)\/(\w*)$/s.exec(written) ?? [];
  if (source === undefined) return written;
  try {
    return new RegExp(source, flags);
  } catch {
    throw new Passes(`--keep ${written} is no expression`);
  }
}

function wholeNumber(flag: string, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(String(given))) throw new Passes(`${flag} must be a whole number above 0`);
  return Number(given);
}
