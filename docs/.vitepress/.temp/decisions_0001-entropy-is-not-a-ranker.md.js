import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"1. Entropy does not rank chunks","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"1. Entropy does not rank chunks"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0001-entropy-is-not-a-ranker.md","filePath":"decisions/0001-entropy-is-not-a-ranker.md"}');
const _sfc_main = { name: "decisions/0001-entropy-is-not-a-ranker.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="1-entropy-does-not-rank-chunks" tabindex="-1">1. Entropy does not rank chunks <a class="header-anchor" href="#1-entropy-does-not-rank-chunks" aria-label="Permalink to &quot;1. Entropy does not rank chunks&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Varied text need not answer the question. In a budget, the order by entropy keeps fewer answers than a random order.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Entropy is an annotation and a gate (<code>annotate.minEntropy</code>). The gate is off by default. The preset <code>entropy</code> exists for comparison.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The feature <code>entropy</code> has no default weight. It is there for comparison.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0001-entropy-is-not-a-ranker.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0001EntropyIsNotARanker = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0001EntropyIsNotARanker as default
};
