/**
 * Pairs of texts that contradict each other in one fact, and pairs that are both true.
 *
 * - RAMDocs: a document `misinfo` and the `correct` one of its question that shares the most words with it, if that is
 *   at least {@link MADE_FROM} of both: then the one was made from the other. Pairs of `correct` documents are true.
 * - XQuAD: a paragraph, and the same with one answer replaced wherever it stands by the answer to a question about
 *   another paragraph, of the same type: a number, a date or a name; told by the English answer, which is parallel. The
 *   same with the sentence that holds the answer, alone and under a heading. Neighbouring paragraphs of an article are
 *   true, and so are a paragraph and its beginning.
 * - MRPC and STS-B: pairs that people call the same are true. Some of them differ in a number all the same.
 * - The pairs of `test/adversarial`.
 *
 * Sources: H. Wang et al., "Retrieval-augmented generation with conflicting evidence" (RAMDocs), 2025; M. Artetxe, S. Ruder,
 * D. Yogatama, "On the cross-lingual transferability of monolingual representations" (XQuAD), 2020; see `paraphrase.ts`.
 */
import * as z from 'zod/mini';
import { unitsOf } from '../../../../src/text/units/units.js';
import { wordsOf } from '../../../../src/text/words.js';
import { CONFLICT_RULES } from '../../../../test/adversarial/conflicts.js';
import { EAST_ASIAN } from '../../../../test/adversarial/east-asian.js';
import { FORMS } from '../../../../test/adversarial/forms.js';
import { makePairs } from '../../../../test/adversarial/rules.js';
import { readPairs } from '../paraphrase.js';
import { filesOf, readLines } from './files.js';

export interface StatementPair {
  set: string;
  language: 'English' | 'Chinese';
  /** What is drawn as one by resampling. */
  group: string;
  contradicts: boolean;
  texts: [string, string];
  /** What one who retrieves both would ask. */
  question: string;
}

/** Dice coefficient of words. */
const MADE_FROM = 0.7;
/** Answers replaced in each paragraph. */
const PER_PARAGRAPH = 2;

const ramdocs = z.object({
  question: z.string(),
  documents: z.array(z.object({ text: z.string(), type: z.string(), answer: z.string() })),
});

export function loadRamdocs(dataDir: string): StatementPair[] {
  const pairs: StatementPair[] = [];
  for (const { question, documents } of linesOf(dataDir, 'ramdocs', /^ramdocs.*\.jsonl/, ramdocs)) {
    const correct = documents.filter(({ type }) => type === 'correct');
    const about = { set: 'RAMDocs', language: 'English', group: question, question } as const;
    for (const { text } of documents.filter(({ type }) => type === 'misinfo')) {
      const [source] = correct.toSorted((a, b) => alike(text, b.text) - alike(text, a.text));
      if (source === undefined || alike(text, source.text) < MADE_FROM) continue;
      pairs.push({ ...about, contradicts: true, texts: [source.text, text] });
    }
    for (const [at, one] of correct.entries()) {
      for (const other of correct.slice(at + 1)) {
        if (one.text === other.text) continue;
        pairs.push({ ...about, contradicts: false, texts: [one.text, other.text] });
      }
    }
  }
  return pairs;
}

const xquad = z.object({
  title: z.string(),
  context: z.string(),
  qas: z.array(
    z.object({ id: z.string(), question: z.string(), answers: z.array(z.object({ text: z.string() })) }),
  ),
});

export function loadXquad(dataDir: string, language: 'English' | 'Chinese'): StatementPair[] {
  const read = (code: string) => linesOf(dataDir, 'xquad', new RegExp(`^xquad-${code}\\.jsonl`), xquad);
  const types = new Map(
    read('en').flatMap(({ qas }) => qas.map(({ id, answers }) => [id, typeOf(answers[0]?.text ?? '')])),
  );
  const paragraphs = read(language === 'English' ? 'en' : 'zh');
  const answers = paragraphs.flatMap(({ qas }, place) =>
    qas.map(({ id, answers: [answer] }) => ({ place, text: answer?.text ?? '', type: types.get(id) })),
  );
  const pairs: StatementPair[] = [];
  let taken = 0;
  for (const [place, { title, context, qas }] of paragraphs.entries()) {
    const add = (set: string, contradicts: boolean, texts: [string, string], question: string) =>
      pairs.push({ set: `XQuAD, ${set}`, language, group: title, contradicts, texts, question });
    const tried = new Set<string>();
    for (const { id, question, answers: found } of qas) {
      const answer = found[0]?.text ?? '';
      const type = types.get(id);
      if (type === undefined || tried.has(answer) || tried.size >= PER_PARAGRAPH) continue;
      const isOther = (each: (typeof answers)[number]) =>
        each.type === type && each.place !== place && !overlaps(each.text, answer) && each.text.length < 30;
      const others = answers.filter((each) => isOther(each) && !context.includes(each.text));
      const other = others[(7 * taken++) % Math.max(1, others.length)]?.text;
      if (other === undefined || answer === '' || !stands(context, answer)) continue;
      tried.add(answer);
      const wrong = context.replaceAll(answer, other);
      add('paragraphs', true, [context, wrong], question);
      const unit = unitsOf(context).find(({ start, end }) => context.slice(start, end).includes(answer));
      const sentence = unit === undefined ? '' : context.slice(unit.start, unit.end);
      if (sentence.length < 2 * answer.length) continue;
      const changed = sentence.replaceAll(answer, other);
      add('sentences', true, [sentence, changed], question);
      const heading = title.replaceAll('_', ' ');
      add('under a heading', true, [sentence, `# ${heading}\n\n${changed} [${place}]`], question);
    }
    const next = paragraphs[place + 1];
    if (next?.title === title) add('one article', false, [context, next.context], qas[0]?.question ?? '');
    const units = unitsOf(context);
    const cut = units[Math.ceil(units.length * 0.7)]?.start;
    if (cut !== undefined) {
      add('cut short', false, [context, context.slice(0, cut).trim()], qas[0]?.question ?? '');
    }
    const first = units[1]?.start;
    if (first !== undefined) {
      const headed = `# ${title.replaceAll('_', ' ')}\n\n${context.slice(first)}`;
      add('under a heading', false, [context, headed], qas[0]?.question ?? '');
    }
  }
  return pairs;
}

export async function loadParaphrases(dataDir: string): Promise<StatementPair[]> {
  const sets = await readPairs(dataDir);
  return ['MRPC', 'STS-B'].flatMap((set) =>
    (sets.get(set) ?? [])
      .filter(({ same, texts: [one, other] }) => same && one !== other)
      .map(({ texts }, at) => ({
        set,
        language: 'English' as const,
        group: `${set} ${at}`,
        contradicts: false,
        texts,
        question: '',
      })),
  );
}

function linesOf<S extends z.ZodMiniType>(dataDir: string, set: string, name: RegExp, schema: S) {
  return filesOf(dataDir, set, name).flatMap((file) => readLines(file, schema));
}

const MONTH = /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/;
const NUMBER_WORD = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|first|second|third)\b/i;

/** Of an English answer. What is of several types is of none. */
function typeOf(answer: string): string | undefined {
  if (answer.length > 40) return undefined;
  if (/^[12]\d{3}$/.test(answer)) return 'year';
  if (/\d/.test(answer)) {
    if (MONTH.test(answer)) return /[12]\d{3}$/.test(answer) ? 'date' : undefined;
    if (/^\d[\d.,]*(?: ?%| percent)$/.test(answer)) return 'percentage';
    return /^\d[\d.,]*(?: (?:million|billion))?$/.test(answer) ? 'number' : undefined;
  }
  const words = answer.split(' ');
  const isName = words.length <= 4 && words.every((word) => /^(?:\p{Lu}[\p{L}.'’-]+|of|the|de)$/u.test(word));
  return isName && /^\p{Lu}/u.test(answer) && !NUMBER_WORD.test(answer) && !MONTH.test(answer)
    ? 'name'
    : undefined;
}

const overlaps = (one: string, other: string) => one === '' || one.includes(other) || other.includes(one);

/** Is it in the text as whole words? */
const stands = (text: string, answer: string) =>
  /[一-鿿]/.test(text)
    ? text.includes(answer)
    : text.split(answer).every((part, at, parts) => {
        const isFirst = at === 0 || !/^[\p{L}\p{N}]/u.test(part);
        return isFirst && (at === parts.length - 1 || !/[\p{L}\p{N}]$/u.test(part)) && parts.length > 1;
      });

function alike(one: string, other: string): number {
  const [left, right] = [countsOf(one), countsOf(other)];
  let shared = 0;
  for (const [word, count] of left.counts) shared += Math.min(count, right.counts.get(word) ?? 0);
  return (2 * shared) / (left.total + right.total);
}

function countsOf(text: string): { counts: Map<string, number>; total: number } {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, total: words.length };
}

/** Pairs made by rule: each changes one fact of a statement, alone; one of the two in another form. */
export function madeStatements(): StatementPair[] {
  const forms = Object.values(FORMS);
  const english = makePairs(CONFLICT_RULES)
    .filter(({ context }) => context === 'alone')
    .map(({ texts: [one, other] }, at): StatementPair => {
      const form = forms[at % forms.length] as (text: string) => string;
      return made('English', true, [one, form(other)]);
    });
  return [...english, ...EAST_ASIAN.map(({ contradicts, texts }) => made('Chinese', contradicts, texts))];
}

const made = (
  language: StatementPair['language'],
  contradicts: boolean,
  texts: [string, string],
): StatementPair => ({
  set: 'made by rule',
  language,
  group: texts[0],
  contradicts,
  texts,
  question: texts[0],
});
