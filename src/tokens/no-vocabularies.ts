/** Takes the place of `vocabularies.ts` in a build with the condition `context-shaping-small`. */
export const vocabularies = undefined;
