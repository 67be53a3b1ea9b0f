const eachWord = (change: (word: string) => string) => (text: string) => text.replace(/\w+/g, change);
/** Ways to write a text so that people still read its words. */
export const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  'soft hyphens': eachWord((word) => word.replace(/(\w{2})(?=\w)/g, '$1\u00ad')),
  'zero-width spaces': eachWord((word) => [...word].join('\u200b')),
  'Cyrillic letters': (text) => text.replace(/[aeop]/g, (each) => 'аеор'.charAt('aeop'.indexOf(each))),
  'full width': (text) => text.replace(/[a-z]/gi, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  'letters of mathematics': (text) =>
    text.replace(/[a-z]/g, (each) => String.fromCodePoint(each.charCodeAt(0) - 97 + 0x1d41a)),
};
