import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"35. An unknown answer is a belief in several answers","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"35. An unknown answer is a belief in several answers"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0035-beliefs-in-several-answers.md","filePath":"decisions/0035-beliefs-in-several-answers.md"}');
const _sfc_main = { name: "decisions/0035-beliefs-in-several-answers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="35-an-unknown-answer-is-a-belief-in-several-answers" tabindex="-1">35. An unknown answer is a belief in several answers <a class="header-anchor" href="#35-an-unknown-answer-is-a-belief-in-several-answers" aria-label="Permalink to &quot;35. An unknown answer is a belief in several answers&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The expectation of log-probabilities would punish a passage for every wrong answer that it excludes.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Utility uses the logarithm of the expected probability. With all belief in one answer this equals the formula for a known answer. The belief comes from the passages; each counts by its relevance, so that a passage cannot vote for itself.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>One formula serves known and unknown answers.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0035-beliefs-in-several-answers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0035BeliefsInSeveralAnswers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0035BeliefsInSeveralAnswers as default
};
