import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"47. Results that depend on a text alone are kept for later calls","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"47. Results that depend on a text alone are kept for later calls"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0047-texts-are-remembered.md","filePath":"decisions/0047-texts-are-remembered.md"}');
const _sfc_main = { name: "decisions/0047-texts-are-remembered.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="47-results-that-depend-on-a-text-alone-are-kept-for-later-calls" tabindex="-1">47. Results that depend on a text alone are kept for later calls <a class="header-anchor" href="#47-results-that-depend-on-a-text-alone-are-kept-for-later-calls" aria-label="Permalink to &quot;47. Results that depend on a text alone are kept for later calls&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Retrievers return the same chunks again and again. An agent shapes its whole history at every turn.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Words, terms, units, facts, entropies and tokens of a text are kept by content, within bounds. Comparisons of the facts of two texts are kept as long as both texts are: 64 for each text. Results that depend on the pool or on the question are not kept.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Later calls on known texts are faster (<a href="/results/speed.html">figures</a>). Memory is bounded.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0047-texts-are-remembered.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0047TextsAreRemembered = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0047TextsAreRemembered as default
};
