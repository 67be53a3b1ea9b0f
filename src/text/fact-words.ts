/**
 * Word lists of the fact check. All entries are in lower case.
 *
 * Lists of several languages share one set: a word that means something else elsewhere (Dutch `pas`,
 * English `sin`) can only matter where two near-copies differ in that very word.
 */

const list = (words: string): string[] => words.trim().split(/\s+/);

/** One line per value: the canonical form first, then its spellings. */
const aliases = (lines: string): Map<string, string> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const words = list(line);
        return words.map((word): [string, string] => [word, words[0] as string]);
      }),
  );

const numbered = (words: string[], first = 0, step = 1): [string, number][] =>
  words.map((word, i) => [word, first + i * step]);

export const CARDINALS: ReadonlyMap<string, number> = new Map([
  ...numbered(list('zero one two three four five six seven eight nine ten eleven twelve')),
  ...numbered(list('thirteen fourteen fifteen sixteen seventeen eighteen nineteen'), 13),
  ...numbered(list('twenty thirty forty fifty sixty seventy eighty ninety'), 20, 10),
]);

export const SCALES: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
]);

/** After a currency sign and a number (`$5m`) these letters are scales, not metres or bytes. */
export const MONEY_SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['mn', 1e6],
  ['b', 1e9],
  ['t', 1e12],
]);

/** Words that stand for a number but do not compose by addition and multiplication. */
export const OTHER_NUMBERS = aliases(`
1st first
2nd second
3rd third
4th fourth
5th fifth
6th sixth
7th seventh
8th eighth
9th ninth
10th tenth
11th eleventh
12th twelfth
1x once
2x twice
3x thrice
1/2 half
dozens
hundreds
thousands
millions
billions
`);

/** Number words with a life of their own (`one of them`, `first, …`): evidence only in a swap. */
export const VAGUE_NUMBERS: ReadonlySet<string> = new Set(list('one once first second'));

/** Spelling to canonical unit; `x/y` is a unit and its denominator. Plural -s is stripped at look-up. */
export const UNITS = aliases(`
% percent pct prozent procent pourcent процент процента процентов
‰
° degree
°c celsius
°f fahrenheit
mg milligram milligramme
μg mcg ug microgram
g gram gramme gr
kg kilogram kilo kilogramme кг
t tonne ton
lb pound
oz ounce
mm millimeter millimetre
cm centimeter centimetre
m meter metre
km kilometer kilometre км
mile mi
inch inches
foot feet ft
yard yd
m2 sqm
cm2
km2
m3
cm3
acre
hectare ha
l liter litre
ml milliliter millilitre
gallon gal
ns nanosecond
μs microsecond
ms millisecond
second s sec sekunde sekunden seconde segundo secondo secondi секунд
minute min minuten minuto minuti минут минуты
hour h hr stunde stunden heure hora ora ore uur час часа часов
day d tage tagen jour día dia giorno giorni dag dagen день дня дней
night
week wk woche wochen semaine semana settimana settimane weken неделя недели недель
month monat monate monaten mois mes meses mese mesi maand maanden месяц месяца месяцев
quarter
year yr yrs jahr jahre jahren année ans año ano anno anni jaar год года лет
decade
century centuries
mile/hour mph
km/hour kmh kph
am
pm
bit
byte
kb kilobyte
mb megabyte
gb gigabyte
tb terabyte
mib
gib
hz hertz
khz
mhz
ghz
w watt
kw kilowatt
mw megawatt
gw gigawatt
kwh
v volt
mv
ma
ah
mah
k kelvin
c
f
j joule
kj
cal calorie
kcal
n newton
pa pascal
kpa
bar
psi
db decibel
mol
mmol
iu
ppm
b
px pixel
dollar $ usd доллар доллара долларов
cent
euro € eur
sterling £ gbp
yen ¥ jpy
yuan cny rmb
rupee ₹ inr
ruble ₽ rub rouble рубль рубля рублей
krw ₩
franc chf
lira ₺
hryvnia ₴ uah
`);

/** Spellings of units that may precede their number, as in `$5` and `EUR 5`. */
export const MONEY: ReadonlySet<string> = new Set(
  list('$ € £ ¥ ₹ ₽ ₩ ₺ ₴ usd eur gbp jpy cny rmb inr rub krw chf uah'),
);

/** `daily` says `per day`. */
export const FREQUENCIES = aliases(`
hour hourly
day daily
night nightly
week weekly
month monthly
quarter quarterly
year yearly annually annual
`);

export const TIME_UNITS: ReadonlySet<string> = new Set(
  list('hour day night week month quarter year decade century'),
);

/** With a time unit, a date: `last week`. */
export const DEICTICS: ReadonlySet<string> = new Set(list('last next this'));

/** Words that place a statement in time, or order it. Relative, hence evidence only in a swap. */
export const RELATIVE_DATES: ReadonlySet<string> = new Set(
  list('today yesterday tomorrow tonight before after'),
);

/** Spelling to full name. The short ones are words, too: weekdays only directly before a date. */
export const WEEKDAYS = aliases(`
monday mon
tuesday tue tues
wednesday wed
thursday thu thur thurs
friday fri
saturday sat
sunday sun
`);

export const MONTHS = list(
  'january february march april may june july august september october november december',
);

/** Verbs, too: months only beside a number or after a word of `MONTH_CUES`. */
export const VERB_MONTHS: ReadonlySet<string> = new Set(list('march may'));
export const MONTH_CUES: ReadonlySet<string> = new Set(list('in since until during early late mid'));
export const DAY_CUES: ReadonlySet<string> = new Set(list('on by from since until of dated'));

/** Spelling to 1..12. Those that are not in `MONTHS` are months only beside a number. */
export const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    MONTHS,
    list('jan feb mar apr may jun jul aug sep oct nov dec'),
    list('januar februar märz april mai juni juli august september oktober november dezember'),
    list('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
    list('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
    list('gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'),
    list('janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'),
    list('januari februari maart april mei juni juli augustus september oktober november december'),
    list('января февраля марта апреля мая июня июля августа сентября октября ноября декабря'),
  ]
    .flatMap((months) => numbered(months, 1))
    .concat([['sept', 9]]),
);

/** Each counts one. English `n't` and French `n'` have become words of their own before the look-up. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  list(`
    not no never without none nobody nothing nowhere neither nor non
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt couldnt shouldnt wouldnt
    nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends ohne weder
    sans
    nunca jamás nadie nada ningún ninguno ninguna sin tampoco ni
    não ninguém nenhum nenhuma sem nem
    nessun nessuno nessuna senza mai né niente nulla
    niet geen nooit niets zonder nergens
    nie nigdy nikt żaden żadna żadne bez
    не нет ни никогда никто ничего нельзя без ні немає
    değil yok hayir asla
  `),
);

/** French says `ne … pas`, written French at times only `ne`, spoken French only `pas`: a pair counts one. */
export const NE: ReadonlySet<string> = new Set(list('ne'));
export const PAS: ReadonlySet<string> = new Set(list('pas jamais rien aucun aucune guère'));

/**
 * Negations of scripts without case. Those of Chinese, Japanese and Thai stand inside a run of letters;
 * the exceptions are words such as 非常 "very", 未来 "future", 不仅 "not only". Those of Korean, Arabic,
 * Hebrew and Hindi are words, or make one of the word they stand in.
 */
export const CASELESS_NEGATION = new RegExp(
  [
    '不(?![仅僅但])|[没沒無无]|非(?![常洲])|未(?![来來])',
    'ない|なかった|ません',
    'ไม่',
    '^(?:안|못|못하.*|아(?:니|닙|닌).*|.*[않없].*)$',
    '^[وف]?(?:لا|لم|لن|ليس|ليست|بدون|دون)$',
    '^[ושה]?(?:לא|אין|אינו|אינה|בלי|ללא)$',
    '^(?:नहीं|नही|मत|न|बिना)$',
  ].join('|'),
  'gu',
);

/** Two of these make a text German, where every noun has a capital. */
export const GERMAN: ReadonlySet<string> = new Set(
  list('und ist nicht ein eine mit für auf das wird sich wurde'),
);

/** Adverbs end in -ly, and so do these. */
export const NAMES_IN_LY: ReadonlySet<string> = new Set(
  list('sicily kimberly beverly connolly donnelly connelly'),
);

/** Abbreviations whose dot does not end a sentence. */
export const TITLES: ReadonlySet<string> = new Set(
  list('mr mrs ms dr prof st sr jr vs no gen sen rep col lt capt'),
);

/** What opens a sentence, with a capital, without being a name. */
export const COMMON: ReadonlySet<string> = new Set([
  ...TITLES,
  ...list(`
    i a an the this that these those it its he she we they you my your his her our their there here who
    whom whose what which when where why how all any both each every either few many more most much other
    others several some such same another one ones someone something everyone everything anyone anything
    and or but nor so yet if then than as at by for from in into of off on onto out over per to up upon
    with within about above across against along among around because behind below beneath beside besides
    between beyond despite down during except following given including like near only once past regarding
    since though although through throughout till toward towards under underneath unless until unlike via
    whereas whether while am is are was were be been being do does did doing done have has had having can
    could might must shall should will would let lets again ahead almost alone already also altogether
    always anyway apart aside away too very well just even ever else enough far further furthermore hence
    however indeed instead later least less maybe meanwhile moreover nevertheless next nonetheless now
    often otherwise overall perhaps quite rather sometimes soon still thereby therefore thus today
    together tomorrow tonight yesterday eg ie etc please yes ok okay thanks according compared based due
    first second third last finally new old good great best big small high low long short early late main
    current take use see note find get make give put try keep think know say said says ask click check add
    read write people man men woman women child children researchers scientists officials police der die
    das den dem des und oder aber ein eine wir sie er es ich im zum zur mit von für auf aus bei nach le la
    les un une du de et ou mais il elle nous vous ils ce cette ces dans en au aux pour par sur avec el los
    las una y o pero que se su sus con por para lo gli e ma di del della dei che da nel nella os um uma
    dos no na nos nas em ao pelo pela het een van op te met voor dat w z jest и в на с к по а но что как
    он она оно они мы вы я это из за от для при
  `),
]);
