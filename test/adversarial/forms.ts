/** Forms in which one and the same statement is found: they must not decide whether it is compared. */
export const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'upper case': (text) => text.toUpperCase(),
  'a small letter first': (text) => text.charAt(0).toLowerCase() + text.slice(1).replace(/[.]$/, ''),
  articles: (text) => text.replace(/\bthe /gi, 'a '),
  'no articles': (text) => text.replace(/\b(?:the|a|an) /gi, ''),
  punctuation: (text) => text.replace(/, /g, ' – ').replace(/[.]$/, '!'),
  'a heading': (text) => `## Summary\n\n${text}`,
  citations: (text) => `${text} [3][17]`,
};
