import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { boundTokens } from '../../src/tokens/token-bound.js';
import { cpuMilliseconds } from '../time.js';

const asText = { disallowedSpecial: new Set<string>() };
const trueCount = (text: string) => Math.max(countO200k(text, asText), countCl100k(text, asText));
const bytes = (text: string) => Buffer.byteLength(text);
const shortfalls = (texts: readonly string[]) =>
  texts.filter((text) => boundTokens(text) < trueCount(text)).map((text) => text.slice(0, 80));

const ENGLISH = [
  'The first Nobel Prize in Physics was awarded in 1901 to Wilhelm Conrad Röntgen, of Germany, who received 150,782 kronor. John Bardeen is the only laureate to win the prize twice, in 1956 and 1972. Marie Skłodowska-Curie also won two Nobel Prizes, for physics in 1903 and chemistry in 1911.',
  'Storms had delayed the ferry for two days, and by the time it reached the harbour most of the passengers were asleep on their luggage. Nobody complained. They had watched the lights of the town come and go behind the rain, and were simply glad that the ground under their feet did not move any more.',
  "I don't think we'll make it by noon, but let's try; it's only twenty miles, and you've driven it before. If there is any traffic on the bridge, I'd rather take the old road and stop somewhere for lunch.",
  'A committee reviews every proposal within thirty days. Applicants are told of the outcome in writing, and may ask for the reasons if the proposal was turned down. An appeal has to be made within two weeks, and is heard by members who had no part in the first decision.',
];

const SAMPLES: Record<string, readonly string[]> = {
  'English prose': ENGLISH,
  'rare names': [
    'Kruszyna Podlódow is a village in the administrative district of Gmina Zwoleń, within Zwoleń County.',
    'Rhiwallon ap Cynfyn',
    'Llanfairpwllgwyngyll',
    'Eyjafjallajökull',
    'Ngũgĩ wa Thiong’o',
    'Nguyễn Thị Minh Khai',
    'Pseudomonas aeruginosa',
    'Mstislav Rostropovich',
    'Sabyasachi Chakrabarty',
    'Schwarzenegger',
    'Xiuhtecuhtli',
    'Zbigniew Brzeziński',
  ],
  German: [
    'Die Bürgerinnen und Bürger wählten am Sonntag einen neuen Gemeinderat. Die Wahlbeteiligung lag mit dreiundsechzig Prozent deutlich höher als vor fünf Jahren, größer war sie zuletzt nach dem Krieg.',
    'Donaudampfschifffahrtsgesellschaftskapitän',
    'Straßenverkehrsordnung',
    'übermäßig',
  ],
  Finnish: [
    'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.',
    'epäjärjestelmällisyydellänsäkään',
  ],
  Polish: [
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. W Szczebrzeszynie chrząszcz brzmi w trzcinie i Szczebrzeszyn z tego słynie.',
    'źdźbło',
  ],
  Turkish: [
    'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.',
    'Çekoslovakyalılaştıramadıklarımızdan',
  ],
  Vietnamese: [
    'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hoá ban cho lý trí và lương tâm.',
    'nghiêng',
    'Đường',
  ],
  French: [
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience, et doivent agir les uns envers les autres dans un esprit de fraternité. L'été dernier, nous n'étions pas là.",
  ],
  Chinese: [
    '人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。今天天气很好,我们一起去公园散步吧。',
    '這個網站提供繁體中文的服務,請選擇您要查詢的圖書館與書籍。',
    '饕餮',
  ],
  Japanese: [
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。明日の会議は午後三時からオンラインで行います。',
    'コンピューターサイエンス',
    '憂鬱',
  ],
  Korean: [
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
    '뵙겠습니다',
  ],
  Cyrillic: [
    'Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.',
    'Усі люди народжуються вільними і рівними у своїй гідності та правах. Їхнє щастя – у єдності.',
    'ПРЕДУПРЕЖДЕНИЕ О БЕЗОПАСНОСТИ',
  ],
  Greek: [
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση.',
    'ΟΙΚΟΥΜΕΝΙΚΗ ΔΙΑΚΗΡΥΞΗ',
  ],
  Arabic: [
    'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.',
    'تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔',
  ],
  Hebrew: [
    'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.',
  ],
  Devanagari: [
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है।',
  ],
  Thai: [
    'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
  ],
  'other scripts': [
    'სამართლიანობა ყველასთვის',
    'Բոլոր մարդիկ ծնվում են ազատ',
    'எல்லா மனிதரும் சுதந்திரமாகப் பிறக்கின்றனர்',
    'ሁሉም ሰዎች ነጻ ሆነው ተወለዱ',
    'ᎠᏂᏴᏫ',
    'မင်္ဂလာပါ',
    'ଓଡ଼ିଆ ଭାଷା',
  ],
  emoji: ['👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽', '🇩🇪🇯🇵🇧🇷', '🧑🏿‍🚀', 'Done ✅ see you at 🕗, bring ☕️!', '😀'.repeat(30), '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  TypeScript: [
    'export function packVector(vector: ArrayLike<number>, field: string): Float32Array {\n  for (let i = 0; i < vector.length; i++) {\n    if (!Number.isFinite(vector[i])) throw new RangeError(field + i);\n  }\n  return Float32Array.from(vector);\n}\n',
  ],
  Python: [
    'def mean(xs: list[float]) -> float:\n    """Arithmetic mean."""\n    if not xs:\n        raise ValueError("empty")\n    return sum(xs) / len(xs)\n\n\nif __name__ == "__main__":\n    print(mean([1.5, 2, 3e-7]))\n',
  ],
  minified: [
    '!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?module.exports=t():(e=e||self).x=t()}(this,function(){"use strict";var e=1e3,n=6e4;return{a:e,b:n,c:function(t,r){return t>>>r&255}}});',
  ],
  JSON: [
    '{"id":"a1","score":0.8731,"tags":["x","y"],"nested":{"ok":true,"n":null}}',
    '[\n  {\n    "lat": 59.437,\n    "lon": 24.7536\n  }\n]',
    '[[0.0123,-0.4567,0.9001],[1e-9,2.5e+10,-3]]',
  ],
  Markdown: [
    '| Name | Count | Note |\n|------|------:|:-----|\n| `foo` | 12 | **bold** |\n| bar | 3,456 | [link](https://example.org/a?b=c) |\n',
    '# Title\n\n- [ ] one\n- [x] two\n\n---\n\n> quote\n\n```sh\nnpm i -D foo@^1.2.3\n```\n',
  ],
  URLs: [
    'https://example.org/wiki/K%C3%B6ln?action=edit&section=3#h-2',
    'https://cdn.example.com/assets/index-4f3a9bZq.js?v=20240131',
    'mailto:jane.doe+test@mail.example.co.uk',
    '/usr/local/lib/python3.11/site-packages/numpy/__init__.py',
  ],
  numbers: [
    '3.14159265358979323846',
    '1,234,567.89',
    '2024-02-29T23:59:60.123Z',
    '+49 (0)30 1234567',
    '٠١٢٣٤٥٦٧٨٩',
    '½ ² ₃ Ⅷ',
    '192.168.0.1:8080',
  ],
  blobs: [
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'd41d8cd98f00b204e9800998ecf8427e',
    'AKIAQXZV7WPLJ2KDNR5T',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'xkcdqwrtzpsdfghjklmnbvcxz',
  ],
  whitespace: [
    ' ',
    '\n',
    '\t\t\t',
    ' '.repeat(500),
    '\r\n\r\n\r\n',
    ' \n \n \t x',
    'a\u00a0b\u2003c\u3000d',
    '\u200b\ufeff',
    `${' '.repeat(37)}if\n${'\t'.repeat(9)}x`,
  ],
  symbols: [
    '='.repeat(80),
    '|'.repeat(50),
    '"'.repeat(40),
    '?!?!?!',
    '<<<>>>{}[]()',
    '─'.repeat(60),
    '■□●○ →←↑↓ ≤≥≠',
    '©®™ €£¥',
    '"\'true\'"',
    '$x_{i}^{2}$ \\frac{\\alpha}{\\beta}',
  ],
  'special tokens': [
    '<|endoftext|>',
    '<|im_start|>system\nYou are helpful.<|im_end|>',
    '<|fim_prefix|><|fim_middle|><|fim_suffix|><|endofprompt|>',
    '<|im_sep|>'.repeat(20),
  ],
  'control characters and lone surrogates': [
    '\u0000\u0001\u0002\u001b[31mred\u001b[0m',
    '\ud800',
    'a\udc00b\ud83d',
    '\uffff\ufffe',
    '\u007f',
  ],
};

const randomText = (from: number, to: number, separator = '') =>
  fc
    .array(
      fc.integer({ min: from, max: to }).map((codePoint) => String.fromCodePoint(codePoint)),
      { minLength: 1, maxLength: 60 },
    )
    .map((characters) => characters.join(separator));
const fromAlphabet = (alphabet: string, maxLength = 120) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength });

const GENERATED: Record<string, fc.Arbitrary<string>> = {
  hex: fromAlphabet('0123456789abcdef'),
  digits: fromAlphabet('0123456789'),
  base64: fc.uint8Array({ minLength: 1, maxLength: 120 }).map((raw) => Buffer.from(raw).toString('base64')),
  uuid: fc.uuid(),
  url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  email: fc.emailAddress(),
  json: fc.json(),
  'printable ASCII': randomText(0x20, 0x7e),
  'lower case': fromAlphabet('abcdefghijklmnopqrstuvwxyz', 40),
  'upper case': fromAlphabet('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 40),
  symbols: fromAlphabet('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'),
  whitespace: fromAlphabet(' \n\t\r'),
  control: randomText(0, 0x1f),
  'Latin-1': randomText(0xa0, 0xff),
  Russian: fromAlphabet('абвгдежзийклмнопрстуфхцчшщъыьэюя '),
  Greek: fromAlphabet('αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ '),
  Hebrew: fromAlphabet('אבגדהוזחטיכלמנסעפצקרשתםןףץך '),
  Arabic: fromAlphabet('ابتثجحخدذرزسشصضطظعغفقكلمنهويةىء '),
  Armenian: randomText(0x561, 0x586),
  Ethiopic: randomText(0x1200, 0x1248),
  emoji: randomText(0x1f300, 0x1f64f, ' '),
  flags: randomText(0x1f1e6, 0x1f1ff),
  surrogates: fc
    .array(fc.integer({ min: 0xd800, max: 0xdfff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
};

const DEPENDENCIES = new URL('../../node_modules/', import.meta.url);
const FILES = [
  'zod/README.md',
  'zod/v4/core/util.js',
  'zod/v4/classic/schemas.d.ts',
  'zod/v4/locales/ja.js',
  'zod/v4/locales/he.js',
  'zod/v4/locales/ru.js',
  'zod/package.json',
  'fast-check/README.md',
  'fast-check/package.json',
  'commander/Readme.md',
  'commander/lib/command.js',
  'commander/typings/index.d.ts',
  '@langchain/core/README.md',
  '@langchain/core/dist/messages/base.d.ts',
  '@langchain/core/dist/messages/base.js',
  'typescript/README.md',
];
const read = (path: string) => readFileSync(new URL(path, DEPENDENCIES), 'utf8').slice(0, 60_000);

describe('boundTokens', () => {
  it('is 0 for the empty text and at least 1 for any other', () => {
    expect(boundTokens('')).toBe(0);
    for (const text of ['a', ' ', '\r', '\u0301', '\u200d', '\ud800', '中'])
      expect(boundTokens(text)).toBeGreaterThanOrEqual(1);
  });

  it.each(Object.keys(SAMPLES))('never falls below either encoding: %s', (category) => {
    const samples = SAMPLES[category] as readonly string[];
    expect(shortfalls(samples)).toEqual([]);
    // The same, in pieces: a chunk may end anywhere.
    expect(shortfalls(samples.flatMap((text) => text.match(/\s*\S+/gu) ?? []))).toEqual([]);
    expect(shortfalls(samples.map((text) => `${text}\n\n${text}`))).toEqual([]);
  });

  it.each(Object.keys(GENERATED))('never falls below either encoding, generated: %s', (category) => {
    const texts = fc.sample(GENERATED[category] as fc.Arbitrary<string>, { seed: 42, numRuns: 150 });
    expect(shortfalls(texts)).toEqual([]);
  });

  it.each(FILES)('never falls below either encoding, whole and in parts: %s', (path) => {
    const text = read(path);
    const words = text.match(/\s*\S+/gu) ?? [];
    const chunks = Array.from({ length: Math.ceil(words.length / 110) }, (_, i) =>
      words.slice(110 * i, 110 * (i + 1)).join(''),
    );
    expect(text.length).toBeGreaterThan(200);
    expect(shortfalls([text, ...chunks, ...text.split('\n')])).toEqual([]);
  });

  it('is within 50 % of the truth on English prose, and within 100 % on source and Markdown', () => {
    const overshoot = (text: string) => boundTokens(text) / trueCount(text) - 1;
    const prose = ENGLISH.map(overshoot);
    expect(
      Math.max(overshoot(ENGLISH.join('\n\n')), prose.reduce((sum, share) => sum + share, 0) / prose.length),
    ).toBeLessThan(0.5);
    for (const path of FILES.filter((file) => /\.(js|d\.ts|md)$/.test(file) && !file.includes('locales'))) {
      expect(overshoot(read(path)), path).toBeLessThan(1);
    }
  });

  it('holds where a quarter of the characters would not', () => {
    const quarter = (text: string) => Math.ceil(text.length / 4);
    for (const text of [...(SAMPLES.Chinese ?? []), ...(SAMPLES.Japanese ?? []), ...(SAMPLES.Korean ?? [])]) {
      expect(quarter(text)).toBeLessThan(trueCount(text));
      expect(boundTokens(text)).toBeGreaterThanOrEqual(trueCount(text));
    }
  });

  it('is a whole number from 0 to the UTF-8 bytes, the same every time', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      ...Object.values(GENERATED),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const bound = boundTokens(text);
        expect(Number.isSafeInteger(bound)).toBe(true);
        expect(bound).toBeGreaterThanOrEqual(text === '' ? 0 : 1);
        expect(bound).toBeLessThanOrEqual(bytes(text));
        expect(boundTokens(text)).toBe(bound);
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  it.each(['a', 'A', 'aB', ' ', ' \n', '-', '|-', '中', 'é', '1', "don't ", '\ud800'])(
    'takes linear time on a long run of %j',
    async (unit) => {
      const long = unit.repeat(300_000 / unit.length);
      expect(await cpuMilliseconds(() => boundTokens(long))).toBeLessThan(2000);
    },
  );
});
