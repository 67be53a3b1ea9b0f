import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"81. The budget is filled","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"81. The budget is filled"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0081-the-budget-is-filled.md","filePath":"decisions/0081-the-budget-is-filled.md"}');
const _sfc_main = { name: "decisions/0081-the-budget-is-filled.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="81-the-budget-is-filled" tabindex="-1">81. The budget is filled <a class="header-anchor" href="#81-the-budget-is-filled" aria-label="Permalink to &quot;81. The budget is filled&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-24</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>This supersedes the decision <a href="/decisions/0013-the-floor-is-relative.html">13</a>. The floor left room empty, in the belief that weak texts are no evidence. Evidence of questions with several steps is often weak by words. A caller who sets a budget has decided what a token is worth.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Extraction takes the unit with the most gain per root of its tokens, together with the units that it needs, until none fits. The gain is the sum of probabilities. The root is between two faults: by relevance alone, long units win, and by relevance per token, fragments win. No unit is left out for its low relevance.</p><p>One exception is for the reader: a scrap of at most 8 tokens and a relevance below .05 that is all that is kept of a chunk is left out. Without it, a context of 300 to 600 tokens had .6 scraps. The evidence kept is the same.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Without pressure, only copies are evicted. Under pressure, the result is the best evidence that fits the budget.</li><li>A caller who wants less text sets a smaller budget, or <code>relevance.floor</code>.</li><li>Marks of gaps must not cost evidence: tables have one mark, and only if there is room. The delimiter row of a table gives way to a row.</li><li>If a row and the header of its table exceed the whole budget, the row has only the last row of the header. On TAT-QA this keeps .05 more of the evidence at a quarter of the tokens. The report says so, because a caller may prefer a larger budget.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0081-the-budget-is-filled.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0081TheBudgetIsFilled = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0081TheBudgetIsFilled as default
};
