/** Words that decide whether a full stop ends a sentence, and whether a sentence can stand alone. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Marks of letters are taken off first. */
export const VOWEL = /[aeiouyıøæœаеёиоуыэюяєіїαεηιουω]/;

/** Abbreviations whose full stop never ends a sentence. In lower case. */
// Unchecked prose: a list of words.
export const NEVER_LAST = words(
  'mr mrs ms messrs mx dr prof gen col capt lt maj adm rev hon sen rep gov pres supt fr br ' +
    'e.g i.e eg ie cf viz vs v z.b d.h p.ex vgl sog ggf evtl inkl mme mlle sra srta dra bijv ing avv mevr',
);
/**
 * Abbreviations that end a sentence only if the next word begins sentences rather than names. The same holds for words
 * without a vowel, and for one or two letters: an initial, `U.S.`
 */
// Unchecked prose: a list of words.
export const SELDOM_LAST = words(
  'inc co corp bros llc plc dept univ assn dist al etc ed eds trans approx vol vols figs lit geb gest usw abb env ' +
    'aprox avda ave hwy feat orig Mio abs hrsg ul ул',
);
/** Abbreviations that end a sentence unless a number follows, although they are words, too. */
export const BEFORE_NUMBERS = words(
  'ca pkt no art sec sect fig p s c ch chap cap tab op app apt av kap pag blz ust odst obr sid şek рис σελ αρ',
);
/** Abbreviations that count only with a capital: `sun` and `mar` are words. */
export const MONTHS_AND_DAYS = words(
  'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun',
);
/** Words that follow an ordinal number in German, which has a full stop. */
export const AFTER_ORDINALS = words(
  'Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert ' +
    'Jahrhunderts Jahrhunderte Auflage Mal Tag',
);
/** Words that begin sentences, and that are no names. They add to those of `LEANING`. */
// Unchecked prose: a list of words.
const BEGINNERS = words(
  'A An The We I You Our My Your In On At By For From With To Of As After Before When While Although Though If ' +
    'During Since Because Most Many Some Other Others Each Under Until Upon Within Without Who What Where Which ' +
    'Why How Not One Several Following Despite According Between Among Through Throughout Once Today Later Der Die ' +
    'Das Wir Ein Eine Im Am Und Aber Les Une Los Las En',
);
/** Returns whether a word with a capital begins a sentence. */
export const isBeginner = (word: string): boolean =>
  BEGINNERS.has(word) || LEANING.has(word.charAt(0).toLowerCase() + word.slice(1));
/** First words of sentences that refer to the sentence before. In lower case; English, German, French, Spanish. */
// Unchecked prose: a list of words.
export const LEANING = words(
  'he she it they him his her hers its their theirs this that these those such here there then thus hence ' +
    'therefore however moreover furthermore nevertheless nonetheless consequently accordingly instead likewise ' +
    'similarly otherwise additionally also besides meanwhile afterwards subsequently finally but and or so yet ' +
    'both neither either another er sie es dies diese dieser dieses sein seine seiner ihr ihre ihrer deshalb ' +
    'daher deswegen jedoch allerdings außerdem dadurch damit dabei dann danach denn dennoch il elle ils elles ' +
    'cela ceci ce cet cette ces leur leurs cependant toutefois ainsi donc él ella ellos ellas este esta esto ' +
    'estos estas su sus además',
);
/** First two words of such sentences. */
export const LEANING_PAIRS: ReadonlySet<string> = new Set(
  (
    'the latter,the former,the same,the other,the others,the two,the second,the third,the resulting,in addition,' +
    'in contrast,in turn,in particular,in fact,in this,in that,in these,in response,as such,for example,' +
    'for instance,for this,for these,on this,on that,at this,at that,after this,after that,' +
    'with this,from this,from there,by this,by then,since then,of these,of those,' +
    'zum beispiel,im gegensatz,aus diesem,in diesem,in dieser,par conséquent,par exemple,par contre,de plus,' +
    'en effet,sin embargo,por eso,por ello,por lo,en este,en esta'
  ).split(','),
);
