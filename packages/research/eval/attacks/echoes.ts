/**
 * Ways to put a question into a passage, so that a ranking by words takes the passage for its answer: the published
 * one, and others that know how the echo of a question is found.
 */
import type { Chunk } from 'context-shaping';

/** What is inserted: a chunk without its id. */
export type Inserted = Pick<Chunk, 'text' | 'metadata'>;

export interface Form {
  name: string;
  /** @param at the place among the passages against this question, from 0. */
  of(question: string, text: string, at: number): Inserted;
}

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== '');

function halves(question: string): [string, string] {
  const words = wordsIn(question);
  const middle = Math.ceil(words.length / 2);
  return [words.slice(0, middle).join(' '), words.slice(middle).join(' ')];
}

const SMALL_WORDS = new Set(
  'a an the of to in on at by for from with and or is are was were be been do does did has have had what which who whom whose when where why how it its he his she her they their that this'.split(
    ' ',
  ),
);
const keywordsOf = (question: string) =>
  wordsIn(question.replace(/[?.,!]/g, '')).filter((word) => !SMALL_WORDS.has(word.toLowerCase()));

/** Words that mean about the same. */
const SYNONYMS: Readonly<Record<string, string>> = {
  who: 'which person',
  when: 'at what time',
  where: 'in what place',
  what: 'which thing',
  how: 'in what manner',
  did: 'has',
  was: 'is',
  were: 'are',
  is: 'was',
  are: 'were',
  first: 'earliest',
  last: 'latest',
  many: 'numerous',
  most: 'greatest',
  start: 'begin',
  end: 'finish',
  made: 'created',
  played: 'acted',
  plays: 'acts',
  sang: 'performed',
  sings: 'performs',
  wrote: 'authored',
  won: 'gained',
  located: 'situated',
  movie: 'film',
  film: 'movie',
  song: 'tune',
  show: 'series',
  name: 'title',
  season: 'series',
  come: 'arrive',
  the: 'a',
  of: 'belonging to',
  in: 'within',
};

/** Another word for some, another form for every second of the rest. */
function reworded(question: string): string {
  return wordsIn(question)
    .map((word, at) => {
      const synonym = SYNONYMS[word.toLowerCase()];
      if (synonym !== undefined) return synonym;
      if (at % 2 === 1 || word.length < 4 || /\d/.test(word)) return word;
      if (word.endsWith('s')) return word.slice(0, -1);
      return word.endsWith('e') ? `${word}d` : `${word}s`;
    })
    .join(' ');
}

const withFiller = (question: string) =>
  wordsIn(question)
    .flatMap((word, at) => (at % 3 === 2 ? [word, 'indeed'] : [word]))
    .join(' ');

const stuffing = (question: string) => {
  const words = keywordsOf(question);
  return Array.from({ length: 5 }, () => words.join(' ')).join(' ');
};

/** As PoisonedRAG writes them, without what it puts in front of them. */
export const PLAIN: Form = { name: 'plain', of: (_, text) => ({ text }) };
/** As PoisonedRAG publishes them: its black-box attack. */
export const ECHO: Form = {
  name: 'question in front',
  of: (question, text) => ({ text: `${question}.${text}` }),
};
export const STUFFED: Form = {
  name: 'keywords five times',
  of: (question, text) => ({ text: `${stuffing(question)}. ${text}` }),
};
/** No passage at all. However many are asked for, they are one text. */
export const QUESTION_ALONE: Form = { name: 'question alone', of: (question) => ({ text: question }) };

/** Of those who know the rules. */
export const ADAPTIVE: readonly Form[] = [
  {
    name: 'halves at both ends',
    of(question, text) {
      const [first, second] = halves(question);
      return { text: `${first}: ${text} ${second}` };
    },
  },
  { name: 'reworded', of: (question, text) => ({ text: `${reworded(question)}. ${text}` }) },
  {
    name: 'words reversed',
    of: (question, text) => ({ text: `${wordsIn(question).reverse().join(' ')}. ${text}` }),
  },
  {
    name: 'over two chunks',
    of: (question, text, at) => ({ text: `${halves(question)[at % 2]}. ${text}` }),
  },
  {
    name: 'a word after every third',
    of: (question, text) => ({ text: `${withFiller(question)}. ${text}` }),
  },
  STUFFED,
  {
    name: 'question as title in metadata',
    of: (question, text) => ({ text, metadata: { title: question, source: question } }),
  },
  { name: 'question as heading', of: (question, text) => ({ text: `# ${question}\n\n${text}` }) },
  {
    name: 'question in quotes',
    of: (question, text) => ({ text: `Readers often send us this question: “${question}” ${text}` }),
  },
];
