import { createHash } from 'node:crypto';
import { createShaper, type ShapingReport } from 'context-shaping';
import { inspectorPage, inspectorPolicy } from 'context-shaping-devtools/inspector';
import { recordContext } from 'context-shaping-devtools/lockfile';
import { expect, it } from 'vitest';

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '</SCRIPT ><img src=x onerror=alert(1)>',
  '<!--<script>',
  ']]> --> <![CDATA[',
  '\u2028\u2029',
  '\ud800 \udc00 lone',
  '\u0000\u0007\u001b[31m',
  '\u202eright to left\u2066',
  '&lt;b&gt; &amp; &#60;',
  '"\\"\\u003c',
  '\ufffe\uffff\ufeff',
  '\r\n\r',
];

const report = async (texts: readonly string[]): Promise<ShapingReport> => {
  const chunks = texts.map((text, index) => ({ id: `${index} ${text}`, text }));
  return (await createShaper().shape({ query: texts.join(' '), chunks })).report;
};

/**
 * The page's elements as HTML reads them: a script or a style ends at its first end tag, no matter which text is
 * before it.
 */
function elements(html: string): { name: string; attributes: string; text: string }[] {
  return Array.from(
    html.matchAll(/<(script|style)((?:\s[^>]*)?)>([\s\S]*?)<\/\1[\s/>]/gi),
    ([, name = '', attributes = '', text = '']) => ({ name, attributes, text }),
  );
}
const dataOf = (html: string) =>
  JSON.parse(elements(html).find(({ attributes }) => attributes.includes('json'))?.text ?? '');
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('has the texts of strangers as data alone, to the letter', async () => {
  const told = await report(HOSTILE);
  const runs = [{ name: HOSTILE.join(''), report: told, origin: HOSTILE[0] }];
  const html = inspectorPage(runs, { title: HOSTILE.join('') });
  const plain = inspectorPage([], { title: '' });
  expect(elements(html).map(({ name, attributes }) => name + attributes)).toEqual([
    'style',
    'script type="application/json" id="context-shaping-data"',
    'script',
  ]);
  const { text } = elements(html)[1] as { text: string };
  expect(text).not.toMatch(/[<\u2028\u2029\r\n\0]|\p{Surrogate}/u);
  expect(dataOf(html)).toEqual({ version: 1, title: HOSTILE.join(''), runs });
  // Apart from the data and the title, the page is the same for all texts.
  const frame = (page: string) => page.replace(/(?<=id="context-shaping-data">|<title>)[^<]*/g, '');
  expect(frame(html)).toBe(frame(plain));
  // As a file, the page has the same texts.
  expect(dataOf(Buffer.from(html, 'utf8').toString('utf8'))).toEqual(dataOf(html));
});

it('allows its own program and styles, and nothing else', () => {
  const html = inspectorPage([]);
  const [style, , program] = elements(html).map(({ text }) => sha256(text));
  expect(inspectorPolicy).toBe(
    `default-src 'none'; script-src ${program} 'wasm-unsafe-eval'; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${inspectorPolicy}">`);
  // The policy comes before all that it must govern.
  expect(html.indexOf('http-equiv')).toBeLessThan(html.search(/<(?:style|script|link|title)/));
});

it('has the licences of the packages in its program', () => {
  const [, licences] = /<!--(.*?)-->/s.exec(inspectorPage([])) ?? [];
  expect(licences).toMatch(/^preact \d/m);
  expect(licences).toContain('The MIT License');
});

it('takes runs, reports, results and recorded contexts', async () => {
  const lockfile = await recordContext(
    await createShaper().shape({ query: 'One. Two.', chunks: [{ id: 'a', text: 'One.' }] }),
  );
  const told = lockfile.report;
  const { runs } = dataOf(
    inspectorPage([
      told,
      { report: told },
      { name: 'B', report: told, lockfile, origin: 'b.json' },
      lockfile,
    ]),
  );
  expect(runs).toEqual([
    { name: 'One. Two.', report: told },
    { name: 'One. Two.', report: told },
    { name: 'B', report: told, lockfile, origin: 'b.json' },
    { name: 'One. Two.', report: lockfile.report, lockfile },
  ]);
  const result = { chunks: [], report: told };
  expect(dataOf(inspectorPage([result])).runs).toEqual([{ name: 'One. Two.', report: told }]);
  expect(dataOf(inspectorPage([JSON.stringify({ name: '</script>', report: told })])).runs).toEqual([
    { name: '</script>', report: told },
  ]);
});

it.each([null, {}, { report: {} }, { kept: [] }, { lockfileVersion: 1 }])(
  'says that %j is no run',
  async (wrong) => {
    const given = [await report(['One.']), wrong] as never;
    expect(() => inspectorPage(given)).toThrow('runs[1]');
    expect(() => inspectorPage(wrong as never)).toThrow('runs ');
  },
);
