import { createShaper, type ShapingOptions } from 'context-shaping';
import { expect, test } from 'vitest';
import { shapeToolResult } from '../../src/tool-results/index.js';
import { structureOf } from '../structures/structure-of.js';

const count = (text: string) => Math.ceil(text.length / 4);
const shape = <Content>(content: Content, query: string, maxTokens: number, options: ShapingOptions = {}) =>
  shapeToolResult({
    content,
    query,
    maxTokens,
    shaper: createShaper({ tokenizer: count, ...options }),
  });

const CITIES = ['Oslo', 'Lima', 'Accra', 'Quito', 'Dakar', 'Hanoi', 'Minsk', 'Tunis'];
const issues = Array.from({ length: 400 }, (_, id) => ({
  id,
  title: `${CITIES[id % 8]} station number ${id} reports pressure`,
  status: id === 321 ? 'void' : id % 2 === 0 ? 'open' : 'closed',
  kind: id % 100 === 7 ? 'drill' : 'event',
}));

test('the row that answers stays, the rest is counted, and the result fits', async () => {
  const given = { total: 400, data: { items: issues }, next: null };
  const { content, note, report } = await shape(given, 'What does Hanoi station number 213 report?', 900);
  expect(content.data.items).toContainEqual(issues[213]);
  expect(content).toMatchObject({ total: 400, next: null });
  expect(report.tokens.sent).toBe(count(`${JSON.stringify(content)}\n\n${note}`));
  expect(report.tokens.sent).toBeLessThanOrEqual(900);
  expect(report.tokens.sent).toBeGreaterThan(855);
  expect(report.fits).toBe(true);
  const left = 400 - content.data.items.length;
  expect(note).toContain(`${left} of 400 parts left out`);
  expect(report.dropped).toEqual([{ blocks: left, lines: 0 }]);
});

test.each(['Is everything all right?', 'Which status?', 'What does Hanoi station number 213 report?'])(
  'the only row with an error stays beside the answer: %s',
  async (query) => {
    const rows = issues.map((issue) => ({ ...issue, status: issue.id === 300 ? 'error' : 'ok' }));
    const { content } = await shape(rows, query, 300);
    expect(content).toContainEqual(rows[300]);
    if (query.includes('213')) expect(content).toContainEqual(rows[213]);
  },
);

test('many rows with errors do not take the room of those that answer', async () => {
  const rows = issues.map((issue) => ({ ...issue, status: issue.id % 3 === 0 ? 'error' : 'ok' }));
  const { content } = await shape(rows, 'Which Hanoi stations are drills?', 900);
  const isAsked = ({ title, kind }: (typeof issues)[number]) => /Hanoi/.test(title) || kind === 'drill';
  expect(content.filter(isAsked).length).toBeGreaterThanOrEqual(content.length - 8);
});

test('rows that differ in one figure are not copies', async () => {
  const rows = Array.from({ length: 200 }, () => ({ city: 'Oslo', text: 'the same row' }));
  const { content } = await shape(rows, 'Oslo', 1000);
  expect(content.length).toBeGreaterThan(50);
});

test('a long text in a record is cut between paragraphs and sentences, and the value stays JSON', async () => {
  const body = Array.from(
    { length: 60 },
    (_, at) => `Section ${at} tells of ${CITIES[at % 8]}. It has a second sentence "${at}".`,
  ).join('\n\n');
  const given = {
    results: [
      { title: 'Manual', body },
      { title: 'Other', body: 'short' },
    ],
  };
  const { content, report } = await shape(given, 'What does section 34 tell of?', 200);
  expect(content.results[0]?.title).toBe('Manual');
  expect(content.results[0]?.body).toContain('Section 34 tells of Accra.');
  expect(content.results[0]?.body).toContain('…');
  expect(report.tokens.sent).toBeLessThanOrEqual(200);
});

const REGIONS = ['North', 'South', 'East', 'West', 'Centre', 'Coast'];
const sales = [
  ['', 'Year ended 31 March', ''],
  ['($ in millions)', '2019', '2018'],
  ...['Hardware', 'Services'].flatMap((section, at) => [
    [section, '', ''],
    ...REGIONS.map((region, row) => [
      `${region} region`,
      `${400 + 40 * at + row}.7`,
      `${300 + 40 * at + row}.2`,
    ]),
  ]),
];

test('a row of an array of rows stays with the header and the title of its section', async () => {
  const given = {
    table: sales,
    notes: REGIONS.map((region) => `The ${region} office moved to other rooms.`),
  };
  const { content, report } = await shape(given, 'What did Services sell in the West region in 2019?', 45);
  expect(content.table.slice(0, 2)).toEqual(sales.slice(0, 2));
  expect(content.table).toContainEqual(['Services', '', '']);
  expect(content.table).toContainEqual(['West region', '443.7', '343.2']);
  expect(report.tokens.sent).toBeLessThanOrEqual(45);
});

test('rows of figures, and rows of words alone, have no header: each can go', () => {
  const points = Array.from({ length: 60 }, (_, at) => [at, at * at]);
  expect(structureOf(JSON.stringify(points)).blocks).toHaveLength(60);
  const pairs = points.map(([at = 0]) => [CITIES[at % 8], `street of ${REGIONS[at % 6]}`]);
  expect(structureOf(JSON.stringify(pairs)).blocks).toHaveLength(60);
});

test('the short fields of a long record are compared with the query', async () => {
  const given = CITIES.map((city, at) => ({
    code: `E-${at + 100}`,
    prices: [
      ['per day', `${at + 20}`],
      ['per week', `${at + 90}`],
    ],
    texts: Array.from(
      { length: 12 },
      (_, line) => `${city} has a station with ${line} platforms and a tower.`,
    ),
  }));
  const { content } = await shape(given, 'E-104', 60);
  expect(content.map(({ code }) => code)).toContain('E-104');
  const priced = await shape(given, 'price per week: 93', 60);
  expect(priced.content.map(({ prices }) => prices[1])).toContainEqual(['per week', '93']);
});

test('data without lists keeps some of its fields, as a text and as a value', async () => {
  const fields = Array.from({ length: 20 }, (_, at) => `  "field${at}": { "name${at}": "value of ${at}" }`);
  const text = `{\n${fields.join(',\n')}\n}`;
  const { content, report } = await shape(text, 'value of name7', 60);
  expect(report).toMatchObject({ kind: 'json', fits: true });
  expect(report.tokens.sent).toBeLessThanOrEqual(60);
  const value = JSON.parse(text);
  expect(JSON.parse(content)).toMatchObject({ field7: value.field7 });
  const whole = await shape(value, 'value of name7', 60);
  expect(whole.report.fits).toBe(true);
  expect(whole.content).toMatchObject({ field7: value.field7 });
  expect(value).toMatchObject(whole.content);
});

test('a value that is no JSON is refused', async () => {
  await expect(shapeToolResult({ content: { id: 1n }, maxTokens: 10 })).rejects.toMatchObject({
    kind: 'invalid-options',
    field: 'content',
  });
});

test.each([
  ['open brackets', '['.repeat(100_000)],
  ['nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['nested objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['rows of HTML that do not end', `<table>${'<tr</tr'.repeat(20_000)}`],
  ['tables that do not end', '<table>'.repeat(20_000)],
  ['open quotes', `a,b,c\n${'"x,y,z\n'.repeat(20_000)}`],
  ['fences', '```\n'.repeat(30_000)],
  ['a heading of dashes', `# ${'-'.repeat(100_000)}x`],
  ['many rows', JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, even: id % 2 })))],
])('neither deep nor strange input takes long: %s', (_, text) => {
  const start = performance.now();
  const structure = structureOf(text);
  const whole = structure.rebuild(structure.blocks.map((__, index) => ({ index })));
  expect(whole.text).toBe(text);
  expect(performance.now() - start).toBeLessThan(20_000);
});
