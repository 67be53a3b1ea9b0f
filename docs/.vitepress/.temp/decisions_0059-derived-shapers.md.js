import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"59. A shaper is derived from another with overrides","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"59. A shaper is derived from another with overrides"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0059-derived-shapers.md","filePath":"decisions/0059-derived-shapers.md"}');
const _sfc_main = { name: "decisions/0059-derived-shapers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="59-a-shaper-is-derived-from-another-with-overrides" tabindex="-1">59. A shaper is derived from another with overrides <a class="header-anchor" href="#59-a-shaper-is-derived-from-another-with-overrides" aria-label="Permalink to &quot;59. A shaper is derived from another with overrides&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Agents and LlamaIndex changed a budget by passing resolved options to <code>createShaper</code> again. In this way a preset, or a default that was filled in twice, could change other options.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>shaper.with(overrides)</code> derives a shaper. The result is the shaper that <code>createShaper</code> makes from the original options with the overrides written into them. Groups are merged. <code>null</code> returns an option to its default.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Both shapers use the same services. A limit per source also holds for tool results in agents.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0059-derived-shapers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0059DerivedShapers = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0059DerivedShapers as default
};
