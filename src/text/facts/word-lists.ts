/**
 * The notation of word lists, and the lists that several kinds of facts share. All entries are in lower case.
 *
 * Lists of several languages share one set. A word with another meaning elsewhere (Dutch `pas`, English `sin`) can
 * matter only if two near-copies differ in that very word.
 */

/** Splits a list of words at white space. */
export const list = (words: string): string[] => words.trim().split(/\s+/);

/** Returns a list of words as a set. */
export const setOf = (words: string): ReadonlySet<string> => new Set(list(words));

/** Maps spellings to canonical forms. A comma or a line break ends a group: the canonical form, then its spellings. */
export const aliases = (groups: string): ReadonlyMap<string, string> =>
  new Map(
    groups
      .trim()
      .split(/[,\n]/)
      .map(list)
      .flatMap((words) => words.map((word): [string, string] => [word, words[0] as string])),
  );

/** Full names of the months in English, in their order. */
export const MONTH_NAMES = list(
  'january february march april may june july august september october november december',
);

/** Abbreviations whose dot does not end a sentence. */
export const TITLES = setOf('mr mrs ms dr prof st sr jr vs no gen sen rep col lt capt');

/** Words that open a sentence, with a capital, and are no names. */
// Unchecked prose: a list of words.
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
