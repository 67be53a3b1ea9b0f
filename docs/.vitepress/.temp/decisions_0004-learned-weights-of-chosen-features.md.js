import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"4. Weights are learned, features are chosen","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"4. Weights are learned, features are chosen"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0004-learned-weights-of-chosen-features.md","filePath":"decisions/0004-learned-weights-of-chosen-features.md"}');
const _sfc_main = { name: "decisions/0004-learned-weights-of-chosen-features.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="4-weights-are-learned-features-are-chosen" tabindex="-1">4. Weights are learned, features are chosen <a class="header-anchor" href="#4-weights-are-learned-features-are-chosen" aria-label="Permalink to &quot;4. Weights are learned, features are chosen&quot;">​</a></h1><ul><li>Status: superseded by <a href="/decisions/0079-relevance-is-a-probability.html">0079</a></li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Trees and networks rank well, but their reasons cannot be read in a report. A feature that is useful in one data set must not count against a text in another.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Relevance is a weighted mean of named features. A listwise softmax learns the weights, which may not be negative.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The report lists the share of every feature. <code>relevance.weights</code> can override each weight.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0004-learned-weights-of-chosen-features.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0004LearnedWeightsOfChosenFeatures = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0004LearnedWeightsOfChosenFeatures as default
};
