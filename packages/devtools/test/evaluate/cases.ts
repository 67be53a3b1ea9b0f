/** Cases with known evidence, made up: a bridge, and chunks that have nothing to do with it. */

const SUBJECTS = ['harbour', 'tower', 'market', 'library', 'canal', 'museum', 'station', 'garden'];

/** A pool in which only the chunk `answer` says in which year the bridge of this number opened. */
export function bridgeCase(number: number, size = 12) {
  const year = 1800 + number;
  const chunks = Array.from({ length: size }, (_, at) => ({
    id: `other-${at}`,
    text: `The ${SUBJECTS[at % SUBJECTS.length]} of town ${at} has ${at + 3} gates. It was painted in green. Visitors like it in summer, when number ${at * 7} is open.`,
  }));
  const answer = {
    id: 'answer',
    text: `Bridge ${number} opened in ${year}. It carries two lanes. Ferries went out of service then.`,
  };
  return {
    id: `bridge-${number}`,
    query: `When did bridge ${number} open?`,
    chunks: [...chunks.slice(0, number % size), answer, ...chunks.slice(number % size)],
    evidence: { answers: [String(year)] },
  };
}

/** A pool in which the chunk `answer` is the last of 16, and each other has two of the three words of the question. */
export function buriedCase(number: number) {
  const answer = { id: 'answer', text: `Bridge ${number} opened in ${1800 + number}.` };
  const others = Array.from({ length: 15 }, (_, at) => ({
    id: `other-${at}`,
    text: `Bridge ${number + 100 + at} opened in ${1900 + at}.`,
  }));
  return {
    id: `buried-${number}`,
    query: `When did bridge ${number} open?`,
    chunks: [...others, answer],
    evidence: { answers: [String(1800 + number)] },
  };
}
