import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"32. A model must prove that it ranks better than relevance","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"32. A model must prove that it ranks better than relevance"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0032-a-model-must-earn-trust.md","filePath":"decisions/0032-a-model-must-earn-trust.md"}');
const _sfc_main = { name: "decisions/0032-a-model-must-earn-trust.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="32-a-model-must-prove-that-it-ranks-better-than-relevance" tabindex="-1">32. A model must prove that it ranks better than relevance <a class="header-anchor" href="#32-a-model-must-prove-that-it-ranks-better-than-relevance" aria-label="Permalink to &quot;32. A model must prove that it ranks better than relevance&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Ranking by one model&#39;s utility is far better than ranking by words, by another&#39;s far worse. In the paper, F1 is .265 with one model and .020 with another.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>ecs</code> asks for a profile: a measurement on labelled questions with this model and these settings. Without a profile that shows a gain beyond chance, <code>ecs</code> does not ask the model.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A new model needs <code>context-shaping calibrate</code> first. <code>trust: &#39;always&#39;</code> skips the check.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0032-a-model-must-earn-trust.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0032AModelMustEarnTrust = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0032AModelMustEarnTrust as default
};
