import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"25. k counts chunks that fit","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"25. k counts chunks that fit"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0025-k-counts-what-fits.md","filePath":"decisions/0025-k-counts-what-fits.md"}');
const _sfc_main = { name: "decisions/0025-k-counts-what-fits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="25-k-counts-chunks-that-fit" tabindex="-1">25. <code>k</code> counts chunks that fit <a class="header-anchor" href="#25-k-counts-chunks-that-fit" aria-label="Permalink to &quot;25. \`k\` counts chunks that fit&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A chunk that is larger than the budget could occupy one of the <code>k</code> places and leave it empty.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>A chunk that cannot fit takes no place. If texts may be cut, every chunk can be made to fit, and takes a place.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A budget that fills up late leaves no places empty.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0025-k-counts-what-fits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0025KCountsWhatFits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0025KCountsWhatFits as default
};
