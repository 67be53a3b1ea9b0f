/**
 * Checks the prose that readers see: Markdown documents and the comments of their programs; comments and
 * strings of the code; comments and titles of tests. It finds constructions that make readers stop: long sentences, words for people used for data, relative clauses
 * as subjects, inversions. It cannot tell good prose from bad; it finds known habits. The published checkers that were tried
 * (write-good, alex, retext, textlint) found none of these, and object to terms such as "host" and "option".
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Paragraph, proseOfCode } from './prose-of-code.js';

/** Patterns of git for the files to check. */
const CHECKED = [
  '*.md',
  ':!test/fixtures',
  // A made-up corpus, with the prose of real ones.
  ':!demo/blog',
  ':!demo/help-centre',
  ':!packages/research',
  ...['src', 'adapters', 'packages', 'scripts', 'examples', 'test', 'docs'].flatMap((each) =>
    ['ts', 'tsx', 'vue', 'mjs', 'js'].map((ending) => `${each}/*.${ending}`),
  ),
];

/** The most words of a sentence. */
const MAX_WORDS = 40;

const PEOPLE =
  /(?:people|persons?|somebody|(?:user|author|attacker|caller|reader|client|operator|contributor)s?) who /i;

/** Constructions that documents must not use, each with the remedy. Questions may use the first three. */
const RULES: { pattern: RegExp; unless?: RegExp; remedy: string; questions?: boolean }[] = [
  {
    pattern: /^(?:What|Where|Who|Whoever|Whichever) /,
    remedy: 'begin with the subject; say "if" for "where"',
    questions: true,
  },
  { pattern: /(?:^|[^-])\b[Ww]hom?\b/, unless: PEOPLE, remedy: 'name the thing', questions: true },
  {
    pattern:
      /\bwhat (?:of|more|shaping|is|are|was|were|has|have|had|it|they|goes|went|comes|came|stays|fits|stands|answers)\b/i,
    remedy: 'name the thing',
    questions: true,
  },
  { pattern: /\b(?:of|for|than|from|with|by) what\b/i, remedy: 'name the thing' },
  { pattern: /\b(?:whoever|whatever|nobody|everybody|anybody|that which)\b/i, remedy: 'name the thing' },
  {
    pattern: /, for (?:he|it|no|nothing|one|such|there|they|those) /i,
    remedy: 'say "because"',
  },
  { pattern: /^(?:Of|Nor|But for|Looked for|So is|So are) /, remedy: 'use the order subject, verb, object' },
  {
    pattern: /[,;] nor (?:is|are|was|were|does|do|did|has|have|can|may|will) /i,
    remedy: 'start a new sentence',
  },
  { pattern: /\b(?:is|are|was|were) (?:told|let|had|got)\b/i, remedy: 'use an active verb' },
  {
    pattern: /\b(?:lest|thereof|wherein|whereby|hitherto|shall|hence|thus|save for|hardly)\b/i,
    remedy: 'use an everyday word',
  },
  { pattern: /\bhowever (?:long|many|much|near|far|often|small|large)\b/i, remedy: 'say "no matter how"' },
];

interface Finding {
  line: number;
  problem: string;
  sentence: string;
}

/** The paragraphs of a Markdown document: no code, no comments, nothing generated; each cell by itself. */
function proseOfMarkdown(markdown: string): Paragraph[] {
  const blank = (match: string) => match.replace(/[^\n]/g, '');
  const prose = markdown
    .replace(/<!-- ([\w-]+):start -->[\s\S]*?<!-- \1:end -->/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2[^\S\n]*$/gm, blank)
    .replace(/`[^`\n]+`/g, 'CODE')
    .replace(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|<[^>\n]*>/g, '');
  return prose.split('\n').flatMap((each, at) => {
    const text = each.replace(/^\s*(?:[-*>]|\d+\.|#+)\s+/, '');
    return (text.startsWith('|') ? text.split('|') : [text]).map((cell) => ({ line: at + 1, text: cell }));
  });
}

/** The comments of the programs of a document. Their strings are data. */
const commentsOfPrograms = (markdown: string): Paragraph[] =>
  Array.from(
    markdown.matchAll(/^( *)```(?:ts|js)\b.*\n([\s\S]*?)^\1```/gm),
    ({ 0: block, 2: code = '', index }) =>
      proseOfCode(code, 'titles', lineAt(markdown, index + block.indexOf('\n') + 1)),
  ).flat();

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

const READERS = {
  markdown: (text: string) => [...proseOfMarkdown(text), ...commentsOfPrograms(text)],
  code: (text: string) => proseOfCode(text),
  tests: (text: string) => proseOfCode(text, 'titles'),
};
type Kind = keyof typeof READERS;

/** The kind of a file, by its path. */
function kindOf(file: string): Kind {
  if (file.endsWith('.md')) return 'markdown';
  if (/^(?:test|packages\/\w+\/test)\//.test(file)) return 'tests';
  return 'code';
}

/** The sentences of a paragraph with their lines. */
function sentencesOf({ line, text }: Paragraph): { line: number; sentence: string }[] {
  return text.split(/(^\s+|(?<=[.!?]["”’)]?)\s+(?=[\p{Lu}\d"“(]))/u).flatMap((sentence) => {
    const first = line;
    line += sentence.split('\n').length - 1;
    return /\p{L}/u.test(sentence) ? [{ line: first, sentence: sentence.replace(/\s+/g, ' ').trim() }] : [];
  });
}

/** Returns the problems in the prose of a file of this kind. */
export function findings(text: string, kind: Kind = 'markdown'): Finding[] {
  return READERS[kind](text)
    .flatMap(sentencesOf)
    .flatMap(({ line, sentence }) => {
      const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,%-]*/gu)?.length ?? 0;
      const problems = words > MAX_WORDS ? [`${words} words: split it (at most ${MAX_WORDS})`] : [];
      for (const { pattern, unless, remedy, questions } of RULES) {
        if (questions && sentence.includes('?')) continue;
        const match = pattern.exec(unless ? sentence.replace(unless, ' ') : sentence);
        if (match) problems.push(`"${match[0].trim()}": ${remedy}`);
      }
      return problems.map((problem) => ({ line, problem, sentence }));
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...CHECKED], {
    encoding: 'utf8',
  });
  const files = process.argv.length > 2 ? process.argv.slice(2) : [...new Set(listed.trim().split('\n'))];
  let count = 0;
  for (const file of files) {
    for (const { line, problem, sentence } of findings(readFileSync(file, 'utf8'), kindOf(file))) {
      count++;
      console.error(`${file}:${line}: ${problem}\n    ${sentence}`);
    }
  }
  console.error(`${files.length} files, ${count} problems of prose`);
  process.exitCode = count === 0 ? 0 : 1;
}
