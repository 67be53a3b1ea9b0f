import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"46. Words are numbers of a shared vocabulary","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"46. Words are numbers of a shared vocabulary"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0046-words-are-numbers.md","filePath":"decisions/0046-words-are-numbers.md"}');
const _sfc_main = { name: "decisions/0046-words-are-numbers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="46-words-are-numbers-of-a-shared-vocabulary" tabindex="-1">46. Words are numbers of a shared vocabulary <a class="header-anchor" href="#46-words-are-numbers-of-a-shared-vocabulary" aria-label="Permalink to &quot;46. Words are numbers of a shared vocabulary&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Stages compare the same words again and again. Numbers compare faster than strings.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A bounded vocabulary, shared by all calls, gives each word a number.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The numbers depend on the texts that were read before. No order may rest on them.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0046-words-are-numbers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0046WordsAreNumbers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0046WordsAreNumbers as default
};
