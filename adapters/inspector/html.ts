/** The parts of HTML that both pages have. */

/** A funnel. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6b5b' d='M1 2h14L9.5 8.5V14l-3-1.5v-4z'/%3E%3C/svg%3E";

/** Text, or the value of an attribute in double quotes. */
export const inHtml = (text: string): string =>
  text.replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`);
