import { type Token, wordAt } from './tokens.js';
import { list, setOf } from './word-lists.js';

/**
 * French uses `ne … pas`, written French sometimes only `ne`, spoken French only `pas`. A pair counts as one negation.
 */
const NE = 'ne';
const PAS = setOf('pas jamais rien aucun aucune guère');

/** Each word counts as one negation. English `n't` and French `n'` are already words of their own at this step. */
// Unchecked prose: a list of words.
export const NEGATIONS: ReadonlySet<string> = new Set([
  NE,
  ...PAS,
  ...list(`
    not no never without none nobody nothing nowhere neither nor non
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt couldnt shouldnt wouldnt
    hardly barely scarcely rarely seldom
    nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends ohne weder
    sans
    nunca jamás nadie nada ningún ninguno ninguna sin tampoco ni
    não ninguém nenhum nenhuma sem nem
    nessun nessuno nessuna senza mai né niente nulla
    niet geen nooit niets zonder nergens
    inte icke ej ingen inget inga aldrig utan ikke ikkje aldri uten uden intet ingenting hverken
    ei eivät emme ette älä älkää ilman
    nie nigdy nikt żaden żadna żadne bez není nejsou nikdy nikdo žádný žádná žádné
    nije nisu nema nikad nikada nitko niko ništa није нису нема никад
    не нет ни никогда никто ничего нельзя без ні немає нема ніколи ніхто нічого жоден жодна жодне няма никой нищо никога
    nu niciodată nimeni nimic niciun nicio nici fără
    nem sem nincs nincsenek soha senki semmi nélkül
    δεν δε μη μην όχι χωρίς κανείς κανένας καμία κανένα τίποτα ούτε
    değil yok hayir asla hiçbir
    không chưa chẳng chả đừng
    tidak tak bukan belum jangan tanpa tiada
    hindi wala walang huwag
    sio siyo hapana hakuna bila wala
  `),
]);

/** "Hindi" inside an English sentence is a language, not a negation of Tagalog. */
export const isLanguage = ({ folded, initial, word }: Token): boolean =>
  folded === 'hindi' && !initial && word?.isCapital === true;

/** "No. 5" is a number, not a negation. */
export function isNumero(tokens: readonly Token[], at: number): boolean {
  const next = wordAt(tokens, at + 1) === '.' ? at + 2 : at + 1;
  return wordAt(tokens, at) === 'no' && tokens[next]?.type === 'number';
}

/** Returns the number of negations. A French negation of two words counts as one. */
export function countNegations(words: readonly string[]): number {
  const ne = words.filter((word) => word === NE).length;
  const pas = words.filter((word) => PAS.has(word)).length;
  return words.length - Math.min(ne, pas);
}
