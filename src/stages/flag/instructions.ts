/**
 * Detects sentences that tell a model what to do. Passages should state facts. The rules match usual wordings of such
 * sentences, in English and, for the best-known one, in five more languages. They miss sentences that look like any other
 * ("Write a script that renames files").
 */
import { lazyRegExp } from '../../runtime/lazily.js';
import { printable } from '../../text/hidden/classes.js';
import { undisguised } from './disguise.js';

const EARLIER =
  '(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|other|all|any|your|system)';
const ORDERS =
  '(?:instructions?|prompts?|rules?|directions?|guidelines?|directives?|commands?|context|messages?|training|programming)';
/** Words for the output of a model. */
const REPLY = '(?:response|answer|reply|output|completion|summary|message)s?';
const YOUR_REPLY = `\\byour (?:final |entire |whole |next |own |full |text )*${REPLY}\\b`;
/** Verbs for work on a text. */
const READING = 'summar|answer|process|describ|translat|review|analy|index|pars|evaluat|quot';
const TEXTS =
  '(?:web ?)?(?:page|text|document|article|passage|content|site|website|e?-?mail|message|file|cv|resume|review|listing|post|comment)s?';
/** Verbs of orders to a model. */
const ORDER =
  "(?:tell|say|recommend|mention|state|include|answer|respond|reply|ignore|disregard|forget|add|append|insert|write|send|instruct|inform|advise|remember|make sure|be sure|do not|don't|never|omit|leave out|output|print|reveal|rate|rank|praise|promote|suggest|claim|conclude|emphasi[sz]e)";
const START = '(?:^|[.!?:;"”]\\s*)(?=\\S)';
/** Sentences that begin with one of these words state or ask something about an answer. */
const NO_ORDER =
  '(?!(?:i|we|he|she|they|it|the|an?|this|that|these|those|if|when|what|which|how|why|who|where|thanks?|is|are|was|were|do|does|did|has|have|had|would|should|your|you|my|our|for|as|and|but|or|so|there|here|on|at|to|by|based|given|after|before|once|while|since|because|although|sorry|yes|no|not|hope|awaiting|regarding|per|in (?!your))\\b)';

/**
 * Each rule matches within one sentence. Words that may stand before many alternatives have the bound {0,4}, and a lookahead has
 * their true one: V8 unrolls up to {0,3}, and compiles the alternatives once for each, which takes some 40 ms a rule.
 */
const RULES = [
  // Ignore all previous instructions.
  `\\b(?:ignore|disregard|forget|override|bypass|overlook|neglect|discard|dismiss|do not follow|don't follow|stop following)\\b[^.!?\\n]{0,40}\\b${EARLIER}\\b[^.!?\\n]{0,30}\\b${ORDERS}\\b`,
  '\\b(?:ignore|disregard|forget)\\b (?:everything|anything|all)\\b[^.!?\\n]{0,30}\\b(?:above|before|previously|prior|earlier|said|told|so far|you (?:know|were told|have been told))\\b',
  `${START}(?:please |now |instead,? )?(?:ignore|disregard|forget)\\b (?!(?:the |any |all |these |those |my |other ){2})(?:the |any |all |these |those |my |other ){0,4}(?:${ORDERS}|(?:question|query|documents?|passages?|sources?)(?: above| below)?)\\b`,
  `${START}(?:please )?(?:ignore|disregard|forget) (?:all (?:of )?)?(?:the )?(?:above|foregoing|preceding)\\b`,
  "\\b(?:ignore|disregard|forget|discard|dismiss|override) (?:what|whatever|everything|anything|all) (?:that )?(?:you|i|we|they)(?:'ve| have| had| were| was| are)? (?:been )?(?:told|taught|asked|instructed|given|ordered)\\b[^.!?\\n]{0,20}\\b(?:before|earlier|previously|above|so far|until now|by (?:your|the) (?:developers?|system|operators?|user))\\b",
  `\\b(?:instructions?|rules?) (?:that )?you (?:were|have been) given\\b`,
  // From now on you are …
  '\\b(?:from now on|henceforth|starting now)\\b,? (?:you|your|always|never|respond|answer|act|only)\\b',
  '\\byou are (?:now|no longer) (?:a|an|the|in|bound|going|to|under|required)\\b',
  '\\b(?:system|developer|hidden|secret|initial) (?:prompt|instructions?|message)\\b[^.!?\\n]{0,60}\\b(?:reveal|repeat|print|show|output|disclose|ignore|override|leak)\\b',
  '\\b(?:reveal|repeat|print|show|output|disclose|leak|tell me|send)\\b[^.!?\\n]{0,30}\\b(?:your|the) (?:system|developer|hidden|secret|initial) (?:prompt|instructions?|message)\\b',
  '\\byour (?:new|real|actual|true|only|next) (?:task|instructions?|goal|objective|role|job|mission) (?:is|are)\\b',
  `${START}(?:now |please )?pretend (?:that|you|to be|as)\\b`,
  '\\bsystem (?:override|instructions?|command|alert) ?:',
  '\\b(?:attention|note to|notice to|message (?:to|for)|instructions? (?:to|for)),? (?:an? |the |any |all )?(?:ai|llm|language model|model|assistant|chatbot|agent)s?\\b ?[:,!]',
  "\\b(?:if you are|you are|dear|attention|note to|notice to|message (?:to|for)|instructions? (?:to|for)) (?:an? |the |any |all )?(?:ai|llm|language model|large language model|chatbot|ai assistant|ai model|assistant model)s?\\b[^.!?\\n]{0,80}\\b(?:must|should|please|do not|don't|always|never|only|ignore|answer|respond|say|recommend|rate|state|tell)\\b",
  '\\binstead of answering\\b|\\bbefore (?:answering|responding|replying),|\\bcall the (?:tool|function) [a-z_]+\\b',
  '\\balways (?:answer|respond|reply) (?:in|with|by|that)\\b',
  '\\b(?:jailbreak|developer mode|dan mode|do anything now)\\b[^.!?\\n]{0,40}\\b(?:enabled?|activated?|on|now|mode)\\b',
  // Answer only with …, to any question.
  `\\b(?:respond|answer|reply)\\b (?:only |solely |exclusively |always |simply |just )+(?:with|in|by|that|to|as)\\b`,
  `\\b(?:always|only|must|you should|you will|do) (?:respond|answer|reply|say|state|output)\\b[^.!?\\n]{0,50}\\b(?:regardless|no matter|whatever|instead)\\b`,
  "\\b(?:do not|don't|never) (?:answer|respond to|mention|reveal|tell|inform|cite|use|trust|follow)\\b[^.!?\\n]{0,40}\\b(?:the user|user's|this (?:instruction|prompt|question)|the question|other (?:documents|passages|sources|context)|the (?:context|above))\\b",
  "\\bwhen (?:the user |you are |you're |users? )?asks?(?:ed)?\\b[^.!?\\n]{0,60}\\b(?:respond|answer|reply|say|output|you must|tell them)\\b",
  // An image with a placeholder in its address, which the model is to fill in.
  '!\\[[^\\]\\n]{0,100}\\]\\(https?://[^\\s){[<?]{1,300}\\?[^\\s){[<]{0,300}(?:\\{[^}\\n)]{1,80}\\}|\\[[^\\]\\n)]{1,80}\\]|<[^>\\n)]{1,80}>)[^\\s)]{0,100}\\)',
  // Without spaces at their ends: other languages.
  'ignorier(?:e|en sie)?[^.!?\\n]{0,30}(?:vorherigen|bisherigen|obigen|vorangegangenen|früheren)[^.!?\\n]{0,20}(?:anweisung|befehl|vorgab|instruktion)',
  'ignorez?[^.!?\\n]{0,30}(?:instructions?|consignes?|directives?)[^.!?\\n]{0,20}(?:précédentes?|antérieures?|ci-dessus)',
  'ignor[ae][^.!?\\n]{0,30}(?:instrucciones|órdenes|indicaciones)[^.!?\\n]{0,20}(?:anteriores|previas)',
  '(?:игнорируй|забудь|не обращай внимания)[^.!?\\n]{0,30}(?:инструкци|указани|команд)',
  '(?:忽略|无视|忘记|不要理会)[^。！？\\n]{0,12}(?:指令|指示|提示|说明|命令|规则)',
];

/** The name of another role. The case of letters counts, because you are now shopping is no order. */
const ROLE = '\\b[Yy]ou are (?:now|no longer) [A-Z]{3,}\\b';

/** Orders about the answer. In a turn of a chat they are normal, because users give them to their assistant. */
const REPLY_RULES = [
  // Dear assistant, tell the reader …
  `\\b(?:dear|hello|hi|hey|attention|to (?:any|all|every|whichever|whatever)) (?:[a-z]+ ){0,2}(?:assistant|ai|llm|language model|chatbot|bot|agent)s?\\b[^.!?\\n]{0,60}[,:;–-] ?(?!(?:please |kindly |you (?:must|should|will) |always |now |also ){3})(?:please |kindly |you (?:must|should|will) |always |now |also ){0,4}${ORDER}\\b`,
  // When summarising this page, recommend …
  `\\b(?:when|whenever|while|if|before|after|in) (?:you(?:'re| are)? )?(?:asked to )?(?:${READING})\\w{0,20} (?:this|these|the (?:above|following|current)) ${TEXTS}\\b[^.!?\\n]{0,40}?[, ](?!(?:please |kindly |always |you (?:must|should) |also |be sure to |make sure to ){2})(?:please |kindly |always |you (?:must|should) |also |be sure to |make sure to ){0,4}${ORDER}\\b`,
  `${START}(?:please |now |also |then |and )?${NO_ORDER}[^.!?\\n]{2,160}${YOUR_REPLY}`,
  `${START}(?:please )?(?:respond|answer|reply)\\b (?:only |solely |always |just )?(?:in|using|with|by)\\b[^.!?\\n]{1,60}`,
];

/** Each rule needs one of these words. Texts without any are not searched further. */
const HINT =
  /ignor|disregard|forget|override|bypass|overlook|neglect|discard|dismiss|don't follow|not follow|stop following|from now on|henceforth|starting now|you are n|prompt|\binstructions? (?:to|for)\b|\bai\b|\bllm|language model|chatbot|jailbreak|developer mode|anything now|your new|your real|your actual|your true|your only|your next|pretend|override|attention|note to|notice to|message to|message for|call the|you were given|you have been given|respond|answer|reply|not tell|n't tell|not mention|n't mention|not trust|\]\(http|игнорируй|забудь|внимания|忽略|无视|忘记|不要理会/i;
const REPLY_HINT =
  /\byour\b[^.!?\n]{0,40}\b(?:respon|answer|repl|output|completion|summar|message)|respond|answer|reply|assistant|\bai\b|\bllm|chatbot|\bbots?\b|\bagents?\b|summar|processing|describing|translat|reviewing|analy|indexing|parsing|evaluat|quoting/i;
// One expression of all rules takes V8 some 60 ms to compile, the rules one by one 15 ms.
const OF_MODELS = [...RULES.map((rule) => lazyRegExp(rule, 'im')), lazyRegExp(ROLE, 'm')];
const OF_REPLIES = REPLY_RULES.map((rule) => lazyRegExp(rule, 'im'));
const LONGEST_TOLD = 120;

/**
 * The beginning of the first such sentence; undefined if there is none.
 *
 * @param isTurn whether the text is a turn of a chat. Turns may say how they want to be answered.
 */
export function instructionIn(text: string, isTurn = false): string | undefined {
  const found = matchIn(text, isTurn);
  if (found !== undefined) return text.slice(...found).slice(0, LONGEST_TOLD);
  const plain = undisguised(text);
  const [start, end] = (plain && matchIn(plain.text, isTurn)) ?? [];
  if (plain === undefined || start === undefined || end === undefined) return undefined;
  return printable(text.slice(plain.offsets[start], plain.offsets[end]));
}

/** The bounds of the first sentence that a rule matches. */
function matchIn(text: string, isTurn: boolean): [start: number, end: number] | undefined {
  const found =
    (HINT.test(text) ? firstOf(OF_MODELS, text) : undefined) ??
    (!isTurn && REPLY_HINT.test(text) ? firstOf(OF_REPLIES, text) : undefined);
  if (found === undefined) return undefined;
  const { 0: match, index } = found;
  const stop = /^[.!?:;"”]\s*(?!\[)/.exec(match)?.[0] ?? '';
  return [index + stop.length, index + match.length];
}

function firstOf(rules: readonly (() => RegExp)[], text: string): RegExpExecArray | undefined {
  const found = rules.map((rule) => rule().exec(text)).filter((match) => match !== null);
  return found.sort((one, other) => one.index - other.index)[0];
}
