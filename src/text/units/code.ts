/**
 * Source code: indented as in Markdown, or pasted without marks.
 *
 * It uses no grammar, because a chunk may contain any language and start anywhere. A line is code if it begins or ends
 * as lines of code do. Two such lines make a block, together with indented lines or comments between them.
 */
import type { Line } from './lines.js';
import type { Page, Structure } from './page.js';

/** Number of characters at each end of a line that are examined. */
const LOOKED_AT = 200;
const INDENTATION = 4;

const BEGINNING = new RegExp(
  [
    String.raw`import\s(?:\{|\*|['"]|type\b|static\b|[\w.]+$|[\w.*, ]+;$|\w+ from\b|[\w.]+ as\b|[\w{}, ]+from\b)`,
    String.raw`from [\w.]+ import\b`,
    String.raw`export (?:default|const|let|class|function|interface|type|enum|async|abstract|\{|\*)`,
    String.raw`(?:async )?(?:def|function|func|fn)\b ?\*? ?\w{0,60} ?[(<]`,
    String.raw`(?:class|interface|struct|enum|trait|impl|namespace) \w+ ?(?:[:({<]|(?:extends|implements) )`,
    String.raw`(?:const|let|var|val) [\w{[].*=`,
    String.raw`#(?:include|define|ifdef|ifndef|endif|pragma)\b|#!/`,
    String.raw`(?:using|package|namespace|module|require|use) [\w.:\\]+;?$`,
    String.raw`(?:public|private|protected|static|final|abstract|override) [\w<>[\]]+ .*[({;=]`,
    String.raw`(?:return|throw|yield|await|raise|assert|print|echo)\b.*[;)\]}]$`,
    String.raw`(?:if|elif|for|while|switch|with|except|catch|match|unless)\b.*[:{]$`,
    String.raw`(?:else|try|finally|do)\s?[:{]$`,
    String.raw`@\w+(?:$|\()`,
    String.raw`(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER TABLE|FROM|(?:LEFT |INNER )?JOIN|WHERE|(?:GROUP|ORDER) BY) [\w*"]`,
    String.raw`//|/\*|\*/|>>> |\$ \w`,
    String.raw`(?:npm|npx|pip3?|git|docker|kubectl|curl|sudo|apt|brew|yarn|pnpm) [\w-]`,
    String.raw`[\w.$[\]'"]+ ?(?:[-+*/|&]?=|:=|<-) ?.*[()[\]{}'"\x60;]`,
    String.raw`[\w.$]+\([^)]*\)?[;,:{]?$`,
    String.raw`[\w$]+(?:\.[\w$]+)*\(.*\)[;,]?(?:\s+(?://|#).*)?$`,
    String.raw`(?:if|for|while) ?\(.*\) .*[=(;]`,
    String.raw`[\w-]+: ?[^;]+;$`,
    String.raw`[)\]}]`,
    String.raw`</?\w[^<>]*>.*[>]$|</?\w[^<>]*>$`,
  ]
    .map((pattern) => `^(?:${pattern})`)
    .join('|'),
);
const ENDING = /(?:[^\s:;][{}]|^[{}]|\s[{]|=>|[)\]}"'\w];|\);?\s*\\)$/;
const MARK = /[=(){}[\]<>$]/;
/** An item of a list, or five words in a row. Clauses of a contract also end with semicolons and brackets. */
const PROSE = /^(?:\(?\w{1,3}[.)] |[-+•] |(?!SELECT|FROM|CREATE)(?:[\p{L}'’]+,? ){5})/u;
const COMMENT = /^(?:#|\*|--|%|;)/;

/** Code without a fence around it, with the blank lines inside it. */
export const plainCode: Structure = {
  starts: (page, at) => codeEnd(page, at) > at,
  read(page, at) {
    const behind = codeEnd(page, at);
    page.addLines('block', at, behind);
    return behind;
  },
};

/**
 * Indented code. Indented lines that read like prose are excluded, because some writers indent prose. Source:
 * CommonMark 0.31, 4.4.
 */
export const indentedCode: Structure = {
  starts: (page, at) => indentedEnd(page, at) > at,
  read(page, at) {
    const behind = indentedEnd(page, at);
    page.addLines('block', at, behind);
    return behind;
  },
};

function codeEnd({ lines }: Page, at: number): number {
  const first = lines[at] as Line;
  if (!isCode(first)) return at;
  let end = at + 1;
  let count = 1;
  for (let next = end; next < lines.length; next++) {
    const line = lines[next] as Line;
    if (isCode(line)) {
      count++;
      end = next + 1;
    } else if (line.indent <= first.indent && !isComment(lines, next)) break;
    else if (!line.afterBlank && end === next) end = next + 1;
  }
  return count > 1 ? end : at;
}

/** Returns whether a line begins or ends as lines of code do. */
export function isCode({ text }: Line): boolean {
  if (PROSE.test(text.slice(0, LOOKED_AT))) return false;
  const ending = text.slice(-LOOKED_AT);
  return (
    BEGINNING.test(text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text) ||
    (ENDING.test(ending.slice(-8)) && MARK.test(ending))
  );
}

/** A comment that stands alone between blank lines may be a heading, and does not count. */
function isComment(lines: readonly Line[], at: number): boolean {
  const line = lines[at] as Line;
  return COMMENT.test(line.text) && (!line.afterBlank || lines[at + 1]?.afterBlank === false);
}

function indentedEnd(page: Page, at: number): number {
  const { lines } = page;
  const { indent, afterBlank } = lines[at] as Line;
  if (indent < INDENTATION || (!afterBlank && at > 0) || page.isInItem(indent)) return at;
  let behind = at;
  let prose = 0;
  for (; behind < lines.length && (lines[behind] as Line).indent >= INDENTATION; behind++)
    if (isProse(lines[behind] as Line)) prose++;
  return 2 * prose > behind - at ? at : behind;
}

function isProse({ text }: Line): boolean {
  const beginning = text.slice(0, LOOKED_AT);
  return beginning.split(' ', 6).length > 5 && !/[=(){}[\]<>_|\\;]/.test(beginning);
}
