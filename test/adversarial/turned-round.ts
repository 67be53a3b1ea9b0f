/**
 * Pairs of statements with the same words that say the opposite, because a word stands in another place or two things
 * change places; and forms of one text, which say the same.
 */
import fc from 'fast-check';

const pick = <T>(all: readonly T[]) => fc.constantFrom(...all);
const two = <T>(all: readonly T[]) =>
  fc
    .tuple(fc.nat(all.length - 1), fc.nat(all.length - 2))
    .map(([one, other]) => [all[one], all[other >= one ? other + 1 : other]] as [T, T]);

const PEOPLE = 'admins editors owners guests drivers nurses tenants auditors pilots members'.split(' ');
const DEEDS = 'delete archive rename export share inspect approve replace transfer restore'.split(' ');
const THINGS =
  'old reports, shared folders, monthly invoices, signed contracts, spare keys, test results'.split(', ');
const TAILS = [
  '',
  ' on weekends',
  ' in the north wing',
  ' under the new policy of the city',
  ' while the office is closed',
];
const NAMES = 'Ann Bob Carla Dmitri Elif Farouk Grace Hiro Ines Jonas'.split(' ');
const PLACES = 'Lyon Porto Bergen Quito Nairobi Osaka Tallinn Leeds'.split(' ');
const LETTERS = [
  ...[
    'A B',
    'A C',
    'B A',
    'C A',
    'C D',
    'B E',
    'I II',
    'II III',
    'x y',
    'y x',
    'X Y',
    'a b',
    'α β',
    'β γ',
    'Α Β',
  ],
  ...['а б', 'А Б', 'б в', '1 2', '2 3', 'A1 A2', 'א ב', 'ا ب'],
].map((pair) => pair.split(' ') as [string, string]);
const CLAUSES = [
  'the pump is running',
  'the valve is open',
  'the lamp blinks',
  'the door stays locked',
  'the backup has finished',
  'the licence is valid',
  'the tank is full',
  'the user is signed in',
];
const ADJECTIVES = 'larger older cheaper heavier faster safer'.split(' ');
const SUED = 'sued hired praised followed visited warned replaced accused'.split(' ');
const EVENTS = [
  'the audit',
  'the merger',
  'the launch',
  'the review',
  'the inspection',
  'the election',
  'the repair',
];

/** A focus particle in two places of one sentence, by language. The places are marked with `_`. */
const FOCUS = `
de nur: _ Mitarbeiter dürfen am Abend _ den Keller betreten.
de lediglich: Der Arzt darf _ am Montag _ neue Patienten aufnehmen.
fr seulement: Les élèves peuvent _ lire le journal _ le soir.
fr uniquement: _ Marie vend _ des pommes au marché.
es solo: _ Pedro puede _ leer los informes antiguos.
es solamente: _ los socios votan _ en la reunión anual.
it solo: _ Marco può _ vendere le vecchie case.
it soltanto: _ gli ospiti possono _ usare la sala grande.
pt apenas: _ os alunos podem _ usar a biblioteca antiga.
pt só: _ a Rita pode _ abrir o cofre azul.
nl alleen: _ leden mogen in het weekend _ het zwembad gebruiken.
nl slechts: _ twee gasten mogen _ een kamer boeken.
ru только: _ врачи могут _ выписывать рецепты пациентам.
ru лишь: _ Анна может _ читать старые письма.
pl tylko: _ lekarze mogą _ wypisywać recepty pacjentom.
sv bara: _ medlemmar får _ låna böcker på kvällen.
tr sadece: _ üyeler akşamları _ havuzu kullanabilir.
cs pouze: _ členové mohou _ číst staré zprávy.
uk лише: _ лікарі можуть _ виписувати рецепти пацієнтам.
el μόνο: _ οι γιατροί μπορούν _ να γράφουν συνταγές.
ja だけ: 会員_が夜に図書館_を使えます。
zh 只: 会员_能在晚上_使用图书馆。
`
  .trim()
  .split('\n')
  .map((line) => /^(\S+) (\S+): (.+)$/.exec(line)?.slice(1) as [string, string, string]);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (text: string) => `${capital(text.replace(/\s+/g, ' ').trim())}.`;
const placed = (frame: string, word: string, at: number) => {
  let seen = 0;
  return capital(frame.replace(/_ ?/g, (gap) => (seen++ === at ? gap.replace('_', word) : '')));
};

export type Pair = readonly [one: string, other: string];

/** By kind. */
export const TURNED_ROUND: Readonly<Record<string, fc.Arbitrary<Pair>>> = {
  'a focus particle': fc
    .tuple(
      pick('only even just merely solely exclusively'.split(' ')),
      pick(PEOPLE),
      pick(DEEDS),
      pick(THINGS),
      pick(TAILS),
      two([0, 1, 2]),
    )
    .map(([focus, who, deed, thing, tail, [one, other]]): Pair => {
      const frames = [
        `${focus} ${who} can ${deed} ${thing}`,
        `${who} can ${focus} ${deed} ${thing}`,
        `${who} can ${deed} ${focus} ${thing}`,
      ];
      return [sentence(frames[one] + tail), sentence(frames[other] + tail)];
    }),
  'a focus particle in other languages': fc
    .tuple(pick(FOCUS), fc.nat(1), pick(['', '\n\n']))
    .map(([[, word, frame], at, end]): Pair => [placed(frame, word, at) + end, placed(frame, word, 1 - at)]),
  'ne … que': fc
    .tuple(two(['le matin', 'du pain', 'à Lyon', 'avec ses amis']), pick(['Paul', 'Marie', 'Le voisin']))
    .map(
      ([[one, other], who]): Pair => [
        `${who} ne mange que ${one} ${other}.`,
        `${who} ne mange ${one} que ${other}.`,
      ],
    ),
  'a particle that one text lacks': fc
    .tuple(pick(FOCUS), fc.nat(1))
    .map(([[, word, frame], at]): Pair => [placed(frame, word, at), placed(frame, word, 2)]),
  'the scope of a denial': fc
    .tuple(pick(PEOPLE), pick(DEEDS), pick(THINGS), pick(TAILS), fc.nat(3))
    .map(([who, deed, thing, tail, kind]): Pair => {
      const pairs: Pair[] = [
        [`not all ${who} may ${deed} ${thing}`, `all ${who} may not ${deed} ${thing}`],
        [`${who} must not always ${deed} ${thing}`, `${who} must always not ${deed} ${thing}`],
        [`${who} who ${deed} ${thing} are not fined`, `${who} who do not ${deed} ${thing} are fined`],
        [
          `${who} can ${deed} ${thing} but never keep them`,
          `${who} can never ${deed} ${thing} but keep them`,
        ],
      ];
      const [one, other] = pairs[kind] as Pair;
      return [sentence(one + tail), sentence(other + tail)];
    }),
  exceptions: fc
    .tuple(
      two(PEOPLE),
      pick(DEEDS),
      pick(THINGS),
      pick(TAILS),
      pick(['except', 'without', 'but not', 'instead of', 'unlike']),
    )
    .map(
      ([[one, other], deed, thing, tail, word]): Pair => [
        sentence(`all ${one} ${word} ${other} can ${deed} ${thing}${tail}`),
        sentence(`all ${other} ${word} ${one} can ${deed} ${thing}${tail}`),
      ],
    ),
  conditions: fc.tuple(two(CLAUSES), fc.nat(4)).map(([[one, other], kind]): Pair => {
    const frame = (a: string, b: string) =>
      [`if ${a} then ${b}`, `${a} if ${b}`, `${a} unless ${b}`, `${a} only if ${b}`, `whenever ${a}, ${b}`][
        kind
      ] as string;
    return [sentence(frame(one, other)), sentence(frame(other, one))];
  }),
  'only if': fc
    .tuple(two(CLAUSES))
    .map(
      ([[one, other]]): Pair => [sentence(`${one} only if ${other}`), sentence(`only ${one} if ${other}`)],
    ),
  roles: fc
    .tuple(two(NAMES), pick(SUED), pick(TAILS))
    .map(
      ([[one, other], deed, tail]): Pair => [
        `${one} ${deed} ${other}${tail}.`,
        `${other} ${deed} ${one}${tail}.`,
      ],
    ),
  'active and passive': fc
    .tuple(two(NAMES), pick(SUED), pick(TAILS), pick(['was', 'has been', 'is']))
    .map(
      ([[one, other], deed, tail, be]): Pair => [
        `${one} ${be} ${deed} by ${other}${tail}.`,
        `${one} ${deed} ${other}${tail}.`,
      ],
    ),
  'roles of words': fc
    .tuple(two(PEOPLE), pick(SUED), pick(TAILS))
    .map(
      ([[one, other], deed, tail]): Pair => [
        `The ${one} ${deed} the ${other}${tail}.`,
        `The ${other} ${deed} the ${one}${tail}.`,
      ],
    ),
  'letters that change places': fc.tuple(pick(LETTERS), fc.nat(5)).map(([[one, other], kind]): Pair => {
    const frame = (a: string, b: string) =>
      [
        `Hepatitis ${a} has a vaccine, hepatitis ${b} has none.`,
        `Plan ${a} costs $10, plan ${b} costs $20.`,
        `Group ${a} was given a placebo and group ${b} the drug.`,
        `Type ${a} is a rare form; type ${b} is a common one.`,
        `Point ${a} lies left of point ${b} on the line.`,
        `The road leads from ${a} to ${b} in a day.`,
      ][kind] as string;
    return [frame(one, other), frame(other, one)];
  }),
  'values that change places': fc
    .tuple(pick(LETTERS), two(['10', '20', '35', '40']), pick(['$', '€', '']))
    .map(
      ([[a, b], [one, other], sign]): Pair => [
        `Plan ${a} costs ${sign}${one}, plan ${b} ${sign}${other}.`,
        `Plan ${a} costs ${sign}${other}, plan ${b} ${sign}${one}.`,
      ],
    ),
  'a letter that one text lacks': fc
    .tuple(pick(['Hepatitis', 'Vitamin', 'Plan', 'Group', 'Building']), pick(DEEDS), pick(PEOPLE))
    .map(
      ([name, deed, who]): Pair => [
        `Some ${who} say that ${name} A is the one to ${deed} first.`,
        `Some ${who} say that ${name} is the one to ${deed} first.`,
      ],
    ),
  'from and to': fc
    .tuple(
      two([...PLACES, 'A', 'B', 'C']),
      pick(['flights go', 'the pipeline runs', 'money flows', 'trains leave']),
      pick(TAILS),
      fc.boolean(),
    )
    .map(
      ([[one, other], what, tail, turned]): Pair => [
        sentence(`${what} from ${one} to ${other}${tail}`),
        sentence(
          turned ? `${what} to ${one} from ${other}${tail}` : `${what} from ${other} to ${one}${tail}`,
        ),
      ],
    ),
  'before and after': fc
    .tuple(two(EVENTS), pick(['before', 'after', 'during', 'until', 'since']), pick(TAILS), fc.boolean())
    .map(
      ([[one, other], word, tail, first]): Pair =>
        first
          ? [sentence(`${word} ${one} came ${other}${tail}`), sentence(`${word} ${other} came ${one}${tail}`)]
          : [
              sentence(`${one} came ${word} ${other}${tail}`),
              sentence(`${other} came ${word} ${one}${tail}`),
            ],
    ),
  comparisons: fc
    .tuple(two([...PLACES, ...NAMES, 'A', 'B', 'x', 'y', 'α', 'β']), pick(ADJECTIVES), pick(TAILS))
    .map(
      ([[one, other], adjective, tail]): Pair => [
        `${one} is ${adjective} than ${other}${tail}.`,
        `${other} is ${adjective} than ${one}${tail}.`,
      ],
    ),
  'givers and takers': fc.tuple(two(NAMES), fc.nat(5)).map(
    ([[one, other], kind]): Pair =>
      (
        [
          [`${one} llamó a ${other}.`, `A ${one} llamó ${other}.`],
          [`${one} piace a ${other}.`, `A ${one} piace ${other}.`],
          [`${one} verkauft an ${other} das Haus.`, `An ${one} verkauft ${other} das Haus.`],
          [`The man that ${one} hurt left ${other}.`, `The man that hurt ${one} left ${other}.`],
          [
            `${one} gave ${other} the keys and ${other} left.`,
            `${other} gave ${one} the keys and ${other} left.`,
          ],
          [`${one} owes ${other} five euros.`, `${other} owes ${one} five euros.`],
        ] as Pair[]
      )[kind] as Pair,
  ),
  'signs and letter case': fc
    .tuple(
      pick([
        'app.conf app/conf',
        'C c',
        'x X',
        'C++ C#',
        'user.id user_id',
        '@web #web',
        'Mb MB',
        'getUrl getURL',
      ]),
      fc.nat(2),
    )
    .map(([both, kind]): Pair => {
      const [a, b] = both.split(' ') as [string, string];
      const frame = (one: string, other: string) =>
        [
          `Copy ${one} over ${other} in the first step.`,
          `Here the value of ${one} is above the value of ${other}.`,
          `Use ${one} where you used ${other} so far.`,
        ][kind] as string;
      return [frame(a, b), frame(b, a)];
    }),
};

const AROUND = [
  'The harbour bridge was opened to traffic in the spring of that year.',
  'Visitors find maps of all the paths beside the northern gate.',
  'Each spare part has a label with its weight in grams.',
];

/** The pair alone, or each text within a paragraph. */
export const inPlace = (pair: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> =>
  fc.tuple(pair, fc.nat(3)).map(([[one, other], at]): Pair => {
    if (at === 3) return [one, other];
    const around = (text: string) => [...AROUND.slice(0, at), text, ...AROUND.slice(at)].join(' ');
    return [around(one.trim()), around(other)];
  });

/** A text with all that the forms change. */
export const sameText = fc
  .tuple(
    pick(PEOPLE),
    pick(DEEDS),
    pick(THINGS),
    two(EVENTS),
    pick(NAMES),
    pick(PLACES),
    fc.integer({ min: 2, max: 900 }),
  )
  .map(
    ([who, deed, thing, [one, other], name, place, number]) =>
      `After ${one}, the ${who} of ${place} could ${deed} "${thing}" & ${number} other items, but ${name}'s well-known café near the station hadn't reopened — not until ${other}.`,
  );

const LONG = /\p{L}{7,}/gu;
const halves = (word: string) => [word.slice(0, word.length >> 1), word.slice(word.length >> 1)];
const NAMED: Readonly<Record<string, string>> = {
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
  é: 'eacute',
  '—': 'mdash',
  ' ': 'nbsp',
  '’': 'rsquo',
};
const entities = (text: string, form: (character: string) => string) =>
  text.replace(/[&"'é—]| (?=of|the)/g, form);

/** Changes of form, by kind. A text and the changed text are copies. */
export const SAME_FORMS: Readonly<Record<string, (text: string) => string>> = {
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  'white space': (text) => `  ${text.replace(/ /g, '\n ')}\n`,
  punctuation: (text) => text.replace(/[,.]/g, '').replace(' —', ';'),
  'a list marker': (text) => `- ${text}`,
  'soft hyphens': (text) => text.replace(LONG, (word) => halves(word).join('\u00ad')),
  'soft hyphens at line ends': (text) => text.replace(LONG, (word) => halves(word).join('\u00ad\n')),
  'divided words': (text) => text.replace(LONG, (word) => halves(word).join('-\n')),
  'divided words on one line': (text) => text.replace(LONG, (word) => halves(word).join('- ')),
  'divided words, indented': (text) => text.replace(LONG, (word) => halves(word).join('-\r\n    ')),
  'divided at a true hyphen': (text) =>
    text.replace('well-known', 'well-\nknown').replace(/ (?=\S+ \S+ \S+$)/, '\n'),
  'named entities': (text) => entities(text, (character) => `&${NAMED[character]};`),
  'decimal entities': (text) => entities(text, (character) => `&#${character.codePointAt(0)};`),
  'hexadecimal entities': (text) =>
    entities(text, (character) => `&#x${(character.codePointAt(0) as number).toString(16)};`),
  'entities and a divided word': (text) =>
    entities(text, (character) => `&${NAMED[character]};`).replace('reopened', 're-\nopened'),
};
