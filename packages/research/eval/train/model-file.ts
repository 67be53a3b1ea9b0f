/** Writes the learned model as the file that the library reads. */
import type { Model } from './train.js';

const COMMENTS: Readonly<Record<keyof Model, string>> = {
  passages: 'Passages of documents.',
  talk: 'Turns of people among themselves.',
  chat: 'Turns of a chat with an assistant.',
  units: 'Sentences and other units within chunks.',
};

export function modelFile(model: Model): string {
  const parts = Object.entries(COMMENTS).map(
    ([name, comment]) =>
      `  /** ${comment} */\n  ${name}: ${written(rounded(model[name as keyof Model]), '  ')},\n`,
  );
  return `${HEADER}export const COEFFICIENTS = {\n${parts.join('')}} as const;\n`;
}

/** An object as the formatter writes it, each entry on its own line. */
function written(value: unknown, indentation: string): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indentation}  `;
  const lines = Object.entries(value).map(([name, each]) => `${inner}${name}: ${written(each, inner)},\n`);
  return `{\n${lines.join('')}${indentation}}`;
}

/** To two decimals; without weights of which that leaves nothing. */
function rounded(value: object): object {
  const entries = Object.entries(value).map(([name, each]) =>
    typeof each === 'number'
      ? ([name, Math.round(each * 100) / 100] as const)
      : ([name, rounded(each as object)] as const),
  );
  const isFixed = 'base' in value;
  return Object.fromEntries(entries.filter(([, each]) => isFixed || each !== 0));
}

const HEADER = `/**
 * The learned coefficients of the model of relevance (\`model.ts\`, \`units.ts\`). Written by
 * \`npm run train -- --data DIR\`; do not edit.
 *
 * Learned by logistic regression on Natural Questions, HotpotQA, MuSiQue, RAMDocs, XQuAD, MTRAG-UN and TAT-QA, each with the
 * same weight. The lists are of 10, 20 and 40 chunks by BM25, with and without the evidence, in the order of BM25 and in
 * orders that were made up to be as good as those of rerankers. Chats are of LongMemEval. For \`talk\`, only the scale and
 * the base were learned, because no talk of people has marked evidence and a licence to learn from it. The \`titleBridge\` of
 * passages was learned on top of the other features, from the questions of several steps of HotpotQA and MuSiQue alone.
 */
`;
