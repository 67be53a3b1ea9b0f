import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"56. A small script checks the prose of documents and code","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"56. A small script checks the prose of documents and code"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0056-prose-checker.md","filePath":"decisions/0056-prose-checker.md"}');
const _sfc_main = { name: "decisions/0056-prose-checker.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="56-a-small-script-checks-the-prose-of-documents-and-code" tabindex="-1">56. A small script checks the prose of documents and code <a class="header-anchor" href="#56-a-small-script-checks-the-prose-of-documents-and-code" aria-label="Permalink to &quot;56. A small script checks the prose of documents and code&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Four published checkers were tried on the documents of version 0.1.0. <code>write-good</code> (1 MB) reported 163 problems in DESIGN.md, 106 of them passive voice. <code>alex</code> (32 MB) objected to &quot;crash&quot;, &quot;host&quot;, &quot;Japanese&quot; and &quot;color&quot;. <code>retext</code> with <code>simplify</code> and <code>readability</code> (8 MB) suggested other words for &quot;option&quot;, &quot;function&quot; and &quot;type&quot;. <code>textlint</code> (56 MB with its rules) found long sentences, which is useful. None found the constructions that make these documents hard to read.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>scripts/check-prose.ts</code> has a limit of 40 words per sentence and a list of constructions, each with its remedy. <code>npm run check</code> runs it, as <code>npm run prose</code>.</p><p>It reads the Markdown documents, and the comments and strings of the code (<code>scripts/prose-of-code.ts</code>). It skips generated files, whose sources it reads, and strings that are split into lists. A comment with a reason exempts the strings of one statement: lists of words, and prompts with which figures were measured.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The script found 230 problems in the four documents of that version, and later 190 in the comments and messages of the code. It takes a second. It does not judge whether a text is clear.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0056-prose-checker.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0056ProseChecker = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0056ProseChecker as default
};
