/** The parts of HTML that both pages have. */

/** A funnel. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6b5b' d='M1 2h14L9.5 8.5V14l-3-1.5v-4z'/%3E%3C/svg%3E";

/** Text, or the value of an attribute in double quotes. */
export const inHtml = (text: string): string =>
  text.replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page that makes no request, up to the beginning of its body. The policy and the style are written as they are. */
export const pageHead = ({
  title,
  policy,
  style,
}: {
  title: string;
  policy: string;
  style: string;
}): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${inHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>`;
