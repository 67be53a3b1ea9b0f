import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"5. The order of a ranked list is evidence","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"5. The order of a ranked list is evidence"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0005-list-order-is-evidence.md","filePath":"decisions/0005-list-order-is-evidence.md"}');
const _sfc_main = { name: "decisions/0005-list-order-is-evidence.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="5-the-order-of-a-ranked-list-is-evidence" tabindex="-1">5. The order of a ranked list is evidence <a class="header-anchor" href="#5-the-order-of-a-ranked-list-is-evidence" aria-label="Permalink to &quot;5. The order of a ranked list is evidence&quot;">​</a></h1><ul><li>Status: superseded by <a href="/decisions/0080-the-order-as-far-as-vouched-for.html">0080</a></li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A retriever has compared the question with its whole collection, by methods that the pool does not show. On its own, a list does not say whether it is ranked. A guess from the words would be right half of the time.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A place counts 10 / (10 + place), the curve of reciprocal ranks. A score is scaled to the pool and multiplied by that curve. Each weighs a fifth more than all words.</li><li>Adapters for retrievers state that their lists are rankings. For other lists the pool decides, and only certain signs count against a ranking: ascending positions of a document, or scores that are not sorted.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A straight line over the places would lose a third of the gain of a good order. Callers with chunks in random order must pass <code>ranked: false</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0005-list-order-is-evidence.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0005ListOrderIsEvidence = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0005ListOrderIsEvidence as default
};
