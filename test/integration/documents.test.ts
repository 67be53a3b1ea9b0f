/** Links, anchors, paths and commands in the documents. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { createShaper } from 'context-shaping';
import { fakeJudge } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { findings } from '../../scripts/check-prose.js';
import { blocksOf, isRun } from '../documents/page.js';
import { FOLDERS } from '../published.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const [{ files }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ files: { path: string }[] }];
const packed = files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
const documents = packed.filter((path) => path.endsWith('.md'));
/** Readers of the site and of the repository have the plots; the package does without them. */
const onTheSite = (path: string) => /^docs\/public\/plots\//.test(path) && existsSync(path);

/** The prose of a document: no blocks of code. */
const proseOf = (file: string) => readFileSync(file, 'utf8').replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** As GitHub and npm make them: lower case, spaces as hyphens, no punctuation. */
const anchorsOf = (file: string) =>
  Array.from(proseOf(file).matchAll(/^#+ (.+)$/gm), ([, heading]) =>
    (heading as string)
      .replace(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('the package has the documents that its readers need', () => {
  expect(documents).toEqual(
    expect.arrayContaining([
      ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'DESIGN.md', 'SECURITY.md'],
      'docs/glossary.md',
    ]),
  );
});

describe.each(documents)('%s', (file) => {
  test('links lead to files and anchors of the package, or to plots of the site', () => {
    const dead = Array.from(
      proseOf(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g),
      ([, link]) => link as string,
    ).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!packed.some((each) => each === target || each.startsWith(`${target}/`)) && !onTheSite(target))
        return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

test.each(documents)('paths and npm scripts that %s names exist', (file) => {
  const code = Array.from(proseOf(file).matchAll(/`([^`\n]+)`/g), ([, each]) => each as string);
  const paths = code.filter((each) =>
    /^(?:src|adapters|packages|test|scripts|examples|docs)\/[\w./-]*$/.test(each),
  );
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  const commands = code.flatMap((each) => /^npm run (?:-s )?([\w:-]+)/.exec(each)?.[1] ?? []);
  expect(commands.filter((command) => !(command in scripts))).toEqual([]);
});

test('a diff takes lines out of a program of its page, and puts in lines of another', () => {
  const page = readFileSync('docs/migration/contextual-compression.md', 'utf8');
  const programs = Array.from(
    page.matchAll(/^```ts\n([\s\S]*?)^```$/gm),
    ([, code]) => code?.split('\n') ?? [],
  );
  const diff = /^```diff\n([\s\S]*?)^```$/m.exec(page)?.[1]?.split('\n') ?? [];
  const [removed, added] = ['-', '+'].map((sign) =>
    diff.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)),
  ) as [string[], string[]];
  const having = (lines: string[]) =>
    programs.findIndex((program) => lines.every((each) => program.includes(each)));
  expect(removed.length * added.length).toBeGreaterThan(0);
  expect([having(removed), having(added)]).toEqual([0, 1]);
});

const guides = documents.filter((file) => file.startsWith('docs/guide/'));
const wordsOf = (file: string) => readFileSync(file, 'utf8').trim().split(/\s+/).length;

test('a page on a concept has at most 1,500 words', () => {
  const concepts = documents.filter((file) => file.startsWith('docs/concepts/'));
  expect(concepts.length).toBeGreaterThan(5);
  expect(concepts.filter((file) => wordsOf(file) > 1500)).toEqual([]);
});

test('there are at most twenty guides: each is a page, has a program, and ends with problems and remedies', () => {
  expect(guides.length).toBeLessThanOrEqual(20);
  for (const file of guides) {
    expect(wordsOf(file), file).toBeLessThanOrEqual(900);
    expect(blocksOf(file).some(isRun), file).toBe(true);
    expect(
      proseOf(file)
        .match(/^## .+$/gm)
        ?.at(-1),
      file,
    ).toBe('## If something goes wrong');
  }
});

/** Measured: shares such as .87, per cent, milliseconds and factors. Levels of confidence are chosen. */
const FIGURE = /(?<![\w.,-])(?:\.\d{2,3}|(?!9[59] %)\d[\d,.]* (?:%|ms|times))(?![\w-])/g;
const GENERATED = /<!-- ([\w-]+):start -->[\s\S]*?<!-- \1:end -->/g;

test.each(
  documents.filter((file) => /^(?:README|docs\/(?:index|(?:guide|recipes|migration)\/.*))\.md$/.test(file)),
)('a figure of %s is generated, or its line links the page of results that states it', (file) => {
  const lines = proseOf(file)
    .replace(GENERATED, '')
    .replace(/`[^`\n]+`/g, '')
    .split('\n');
  const unproved = lines.flatMap((line) => {
    const links = Array.from(
      line.matchAll(/\]\(([^)#\s]+results\/[\w-]+\.md)/g),
      ([, link]) => link as string,
    );
    const stated = links.flatMap(
      (link) => readFileSync(join(dirname(file), link), 'utf8').match(FIGURE) ?? [],
    );
    return (line.replace(/\]\([^)]*\)/g, ']').match(FIGURE) ?? []).filter(
      (figure) => !stated.includes(figure),
    );
  });
  expect(unproved).toEqual([]);
});

/** Names in the prose of that document that are not exported. */
const OTHER_NAMES = new Set([
  ...['BaseDocumentCompressor', 'createAgent', 'Embeddings', 'kind'],
  ...['wrapLanguageModel', 'prepareStep', 'recall_passage'],
]);

/** The names that a module exports, and those of the modules that it exports whole. */
function namesIn(source: string): string[] {
  const code = readFileSync(source, 'utf8');
  const listed = Array.from(code.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, names]) =>
    names?.split(','),
  );
  const declared = code.matchAll(/^export (?:async )?(?:function|interface|class|const|type) (\w+)/gm);
  const whole = code.matchAll(/^export (?:type )?\* from '([^']*)\.js'/gm);
  return [
    ...listed.flat().map((each) => each?.replace(/\btype |.* as /g, '').trim() ?? ''),
    ...Array.from(declared, ([, each]) => each as string),
    ...Array.from(whole, ([, module]) => namesIn(join(dirname(source), `${module}.ts`))).flat(),
  ].filter((each) => each !== '');
}

test('docs/public-names.md has every exported name of each entry point, and no other', () => {
  const document = readFileSync('docs/public-names.md', 'utf8');
  const inner = ['./cli', './internal', './tool-calls'];
  const entries = FOLDERS.flatMap((folder) => {
    const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.entries(found.exports as Record<string, { 'context-shaping-source'?: string }>).flatMap(
      ([entry, { 'context-shaping-source': source }]) =>
        source === undefined || inner.includes(entry)
          ? []
          : [[entry.replace('.', found.name), join(folder, source)] as const],
    );
  });
  for (const [entry, source] of entries) {
    const names = namesIn(source);
    const section = document.split(`\n## \`${entry}\`\n`)[1]?.split('\n## ')[0] ?? '';
    const told = Array.from(
      section.replace(/^The option.*$/gm, '').matchAll(/`(\w+)`/g),
      ([, each]) => each as string,
    );
    const known = new Set(names);
    expect(names.filter((each) => !section.includes(`\`${each}\``))).toEqual([]);
    expect(told.filter((each) => !known.has(each) && !OTHER_NAMES.has(each))).toEqual([]);
  }
});

/** The words in code that the given column of a table has, in the part of a document that begins with a heading. */
function codeInColumn(file: string, heading: string, column: number): string[] {
  const part = readFileSync(file, 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = part.split('\n').filter((line) => line.startsWith('| '));
  return rows.flatMap((row) =>
    Array.from(
      row
        .split(' | ')
        .at(column)
        ?.matchAll(/`([\w-]+)`/g) ?? [],
      ([, word]) => word as string,
    ),
  );
}

test('the page on earlier builds leads to names that are exported', () => {
  const names = codeInColumn('docs/migration/from-0.x.md', 'Names', -1).filter((each) =>
    /[a-z][A-Z]/.test(each),
  );
  const exported = readFileSync('docs/public-names.md', 'utf8');
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((each) => !exported.includes(`\`${each}\``))).toEqual(['CacheBackedEmbeddings']);
});

test('the page on the pipeline has every stage, in the order of execution', () => {
  const { stages } = createShaper({ ecs: { judge: fakeJudge() } });
  expect(codeInColumn('docs/concepts/pipeline.md', 'Stages', 0)).toEqual(stages);
});

describe('prose', () => {
  test.each([
    [
      'Who comes from an entropy pruner finds its functions.',
      'If you are migrating from an entropy pruner, the same functions exist.',
    ],
    ['Where nobody is left, the best stays.', 'If no chunk passes, the best one is kept.'],
    ['What is off the topic is found out.', 'Off-topic text is detected.'],
    ['It is counted again, for it was cut.', 'It is counted again, because it was cut.'],
    ['Nor do they merge.', 'They do not merge either.'],
    ['Of ten texts none is lost.', 'None of ten texts is lost.'],
    ['Observers are told once.', 'Observers are called once.'],
    ['It shows what answers.', 'It shows the sentences that answer.'],
    ['It prints what of it fits.', 'It prints the parts that fit.'],
    [`${'word '.repeat(41)}.`, `${'word '.repeat(40)}.`],
  ])('%s', (wrong, right) => {
    expect(findings(wrong)).not.toEqual([]);
    expect(findings(right)).toEqual([]);
  });

  test('code, comments and generated tables are not read', () => {
    const hidden = [
      '`what is`',
      '<!-- Nobody. -->',
      '```ts\nNobody();\n```',
      '<!-- o:start -->\nNobody.\n<!-- o:end -->',
    ];
    expect(findings(hidden.join('\n'))).toEqual([]);
  });

  test('comments and strings of code are read', () => {
    const code = `// Nobody is
// left.
/**
 * Finds chunks: \`what is\`, {@link whatever}.
 *
 *   f(x) = what is left
 *
 * - The first item
 *   is whatever it is.
 *
 * @param limit the most, for it is a cap.
 * @returns hence a list.
 */
const plain = /'/.test('It is kept, whoever' + ' asks for it.');
const text = \`The \${nested ? \`chunk of what is left\` : ''} stays
Where is nothing, nothing is left.\`;
const name = 'what is';`;
    const found = findings(code, 'code').map(({ line, problem }) => `${line} ${problem.split(':')[0]}`);
    expect(found).toEqual([
      ...['1 "Nobody"', '8 "whatever"', '11 ", for it"', '12 "hence"', '14 "whoever"'],
      ...['16 "Where"', '15 "what is"', '15 "of what"'],
    ]);
  });

  test('comments of programs in documents are read, their strings are not', () => {
    const block = ['```ts', '// Nobody is left.', "const query = 'It is for nobody, is it.';", '```'];
    expect(findings(block.join('\n')).map(({ line }) => line)).toEqual([2]);
  });

  test.each([
    ['// Generated from options.ts by "npm run generate".\n// Nobody is left.'],
    ['/**\n * Weights. Written by `npm run train`.\n */\n// Nobody is left.'],
  ])('generated code is not read: %s', (code) => {
    expect(findings(code, 'code')).toEqual([]);
  });

  test.each([
    ["const WORDS = (\n  'nobody whoever whatever ' + 'what is'\n).split(' ');"],
    ['// Unchecked prose: a list of words.\nconst WORDS = new Set([\n  `\nnobody whoever what is\n`,\n]);'],
  ])('a list of words is not read, the next statement is: %s', (list) => {
    expect(findings(list, 'code')).toEqual([]);
    expect(findings(`${list}\nlog('It is for nobody.');`, 'code')).toHaveLength(1);
  });

  test('a finding has its line', () => {
    expect(findings('One.\n\n- Two. Nobody is left.')).toEqual([
      { line: 3, problem: '"Nobody": name the thing', sentence: 'Nobody is left.' },
    ]);
  });
});
