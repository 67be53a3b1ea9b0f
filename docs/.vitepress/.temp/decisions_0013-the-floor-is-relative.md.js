import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"13. The floor of relevance is relative to the best","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"13. The floor of relevance is relative to the best"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0013-the-floor-is-relative.md","filePath":"decisions/0013-the-floor-is-relative.md"}');
const _sfc_main = { name: "decisions/0013-the-floor-is-relative.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="13-the-floor-of-relevance-is-relative-to-the-best" tabindex="-1">13. The floor of relevance is relative to the best <a class="header-anchor" href="#13-the-floor-of-relevance-is-relative-to-the-best" aria-label="Permalink to &quot;13. The floor of relevance is relative to the best&quot;">​</a></h1><ul><li>Status: superseded by <a href="/decisions/0081-the-budget-is-filled.html">0081</a></li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Relevance is measured within one pool. Only its ratio to the best value has a meaning.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>While a budget fills, sentences and chunks with less than a quarter of the best relevance are left out. At a quarter, no evidence was lost on four sets.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Ranks have no ratios. If relevance rests on the retriever&#39;s order alone, there is no floor.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0013-the-floor-is-relative.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0013TheFloorIsRelative = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0013TheFloorIsRelative as default
};
