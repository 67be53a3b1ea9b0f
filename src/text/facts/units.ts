import { lazily } from '../../runtime/lazily.js';
import { type Token, wordAt } from './tokens.js';
import { aliases, setOf } from './word-lists.js';

/** Maps spellings to canonical units. `x/y` is a unit and its denominator. */
const UNITS = lazily(() =>
  withPlurals(
    aliases(`
% percent pct prozent procent pourcent процент процента процентов, ‰, ppm
° degree, °c celsius, °f fahrenheit, c, f, k kelvin
mg milligram milligramme, μg mcg ug microgram, g gram gramme gr, kg kilogram kilo kilogramme кг
t tonne ton, lb pound, oz ounce, mol, mmol, iu
mm millimeter millimetre, cm centimeter centimetre, m meter metre, km kilometer kilometre км
mile mi, inch inches, foot feet ft, yard yd, px pixel
m2 sqm, cm2, km2, m3, cm3, acre, hectare ha
l liter litre, ml milliliter millilitre, gallon gal
ns nanosecond, μs microsecond, ms millisecond
second s sec sekunde sekunden seconde segundo secondo secondi секунд
minute min minuten minuto minuti минут минуты
hour h hr stunde stunden heure hora ora ore uur час часа часов, am, pm
day d tage tagen jour día dia giorno giorni dag dagen день дня дней, night
week wk woche wochen semaine semana settimana settimane weken неделя недели недель
month monat monate monaten mois mes meses mese mesi maand maanden месяц месяца месяцев, quarter
year yr yrs jahr jahre jahren année ans año ano anno anni jaar год года лет, decade, century centuries
bc bce, ad ce
mile/hour mph, km/hour kmh kph
bit, kilobit, megabit, gigabit, terabit, b, byte, kb kilobyte, mb megabyte, gb gigabyte, tb terabyte, mib, gib
rpm, hz hertz, khz, mhz, ghz, millihertz, w watt, milliwatt, kw kilowatt, mw megawatt, gw gigawatt, kwh
v volt, mv, ma, ah, mah, j joule, kj, millijoule, cal calorie, kcal, n newton, pa pascal, kpa, millipascal, bar, psi, db decibel
dollar $ usd доллар доллара долларов, cent, euro € eur, sterling £ gbp, franc chf
yen ¥ jpy, yuan cny rmb, krw ₩, rupee ₹ inr, lira ₺
ruble ₽ rub rouble рубль рубля рублей, hryvnia ₴ uah
`),
  ),
);

/** With an `s` these are other words. */
const WITHOUT_PLURAL = setOf('ha ad pa ma');

function withPlurals(units: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const plurals = [...units].filter(([word]) => word.length > 1 && !WITHOUT_PLURAL.has(word));
  return new Map([...plurals.map(([word, unit]): [string, string] => [`${word}s`, unit]), ...units]);
}

/** Spellings of units that may precede their number, as in `$5` and `EUR 5`. */
const MONEY = setOf('$ € £ ¥ ₹ ₽ ₩ ₺ ₴ usd eur gbp jpy cny rmb inr rub krw chf uah');

/** Maps frequencies to units: `daily` means `per day`. */
const FREQUENCIES = lazily(() =>
  aliases(
    'hour hourly, day daily, night nightly, week weekly, month monthly, quarter quarterly, year yearly annually annual',
  ),
);

/** Units named after persons, whose names have a capital. */
const PEOPLE = setOf('newton pascal joule watt kelvin hertz celsius');

/** Returns all words and marks that may be a unit or a part of one. */
export const unitWords = (): string[] => [...UNITS().keys(), ...FREQUENCIES().keys(), 'per', '/'];

export interface Unit {
  name: string;
  /** Index of the token after it. */
  end: number;
}

/** Returns the canonical unit of a spelling: `km` for `kilometres`. */
export function unitOf(word: string): string | undefined {
  return UNITS().get(word);
}

/** Returns the unit of a spelling that may precede its number: `$5`, `EUR 5`. */
export function moneyOf(word: string): string | undefined {
  return MONEY.has(word) ? UNITS().get(word) : undefined;
}

/** Returns the unit at a token, or behind a hyphen there: `30 mg`, `30%`, `30-day`. */
export function unitAt(tokens: readonly Token[], at: number): Unit | undefined {
  const place = wordAt(tokens, at) === '-' ? at + 1 : at;
  const name = UNITS().get(wordAt(tokens, place));
  return name === undefined ? undefined : { name, end: place + 1 };
}

/** Returns a unit without a number: `per day`, `/kg`, `daily`, `hours`. A word of one or two letters is none. */
export function bareUnitAt(tokens: readonly Token[], at: number): Unit | undefined {
  const word = wordAt(tokens, at);
  const token = tokens[at];
  // "Newton" is a name, but neither "newton" nor "NEWTON" is.
  if (token !== undefined && PEOPLE.has(word) && !token.initial && token.word?.isCapital === true) {
    if (token.raw !== token.raw.toUpperCase()) return undefined;
  }
  if (word === '/' || word === 'per') {
    const name = UNITS().get(wordAt(tokens, at + 1));
    return name === undefined ? undefined : { name, end: at + 2 };
  }
  const name = FREQUENCIES().get(word) ?? (word.length > 2 ? UNITS().get(word) : undefined);
  return name === undefined ? undefined : { name, end: at + 1 };
}
