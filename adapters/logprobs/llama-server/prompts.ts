/** The tokens of prompts and of texts after them. */
import { continuationStart } from '../../model-calls/index.js';
import type { ServerCall } from './call.js';
import { startsWith } from './template.js';

type Ids = readonly number[];

export interface PromptTokens {
  prompt: Ids;
  /**
   * The tokens of the text after the prompt. The first one may begin in the prompt: the end of the prompt and the start of
   * the text can form one token.
   */
  continuation: Ids;
}

/** A prompt as parts that are split apart: token numbers, and texts. The last part goes on in the continuation. */
type Parts = readonly [...(Ids | string)[], string];

/** The tokens of each request, in their order. */
export async function promptTokens(
  call: ServerCall,
  requests: readonly { prompt: string; continuation?: string }[],
): Promise<PromptTokens[]> {
  if (requests.length === 0) return [];
  const template = await call.template();
  const asked = requests.map(({ prompt, continuation = '' }) => {
    const parts: Parts =
      template === undefined
        ? [prompt]
        : template.middle.length === 0
          ? [template.head, template.before + prompt + template.after]
          : [template.head, template.before + prompt + template.after, template.middle, template.last];
    return { parts, continuation: template?.endsInSpace ? continuation.replace(/^ /, '') : continuation };
  });
  const texts = asked.flatMap(({ parts, continuation }) => [
    ...parts.filter((part) => typeof part === 'string'),
    parts.at(-1) + continuation,
  ]);
  const { begin, lists } = await call.tokenize(texts);
  const listOf = (part: Ids | string) => (typeof part === 'string' ? (lists.get(part) as Ids) : part);
  return asked.map(({ parts, continuation }) => {
    const [before, end] = [parts.slice(0, -1).flatMap(listOf), parts.at(-1) as string];
    const whole = listOf(end + continuation);
    // The token that begins every text stands at the start once, even if the prompt itself has it.
    const front = template || startsWith(whole, begin) ? before : begin;
    const start = continuation === '' ? -1 : continuationStart(whole, listOf(end));
    const split = start === -1 ? whole.length : start;
    return { prompt: [...front, ...whole.slice(0, split)], continuation: whole.slice(split) };
  });
}
