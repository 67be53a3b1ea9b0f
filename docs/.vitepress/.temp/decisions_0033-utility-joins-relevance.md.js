import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"33. Utility is added to relevance through the logistic function","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"33. Utility is added to relevance through the logistic function"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0033-utility-joins-relevance.md","filePath":"decisions/0033-utility-joins-relevance.md"}');
const _sfc_main = { name: "decisions/0033-utility-joins-relevance.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="33-utility-is-added-to-relevance-through-the-logistic-function" tabindex="-1">33. Utility is added to relevance through the logistic function <a class="header-anchor" href="#33-utility-is-added-to-relevance-through-the-logistic-function" aria-label="Permalink to &quot;33. Utility is added to relevance through the logistic function&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Utility has no upper or lower bound, relevance is 0..1. Scaling by the pool would make a value depend on other chunks. A model that answers &quot;no&quot; to everything must not raise the chunks it has not seen.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Relevance receives the logistic function of utility, so 0 nats is one half. A chunk without a measurement counts as the median of the measured chunks, but at most as 0 nats.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Between two passages that are both certain, words decide.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0033-utility-joins-relevance.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0033UtilityJoinsRelevance = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0033UtilityJoinsRelevance as default
};
