import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"11. Our own scanner finds the ends of sentences","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"11. Our own scanner finds the ends of sentences"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0011-own-sentence-scanner.md","filePath":"decisions/0011-own-sentence-scanner.md"}');
const _sfc_main = { name: "decisions/0011-own-sentence-scanner.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="11-our-own-scanner-finds-the-ends-of-sentences" tabindex="-1">11. Our own scanner finds the ends of sentences <a class="header-anchor" href="#11-our-own-scanner-finds-the-ends-of-sentences" aria-label="Permalink to &quot;11. Our own scanner finds the ends of sentences&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The results of <code>Intl.Segmenter</code> differ between engines. On HotpotQA it finds 255 false ends, at a recall of 99.0 %.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Our scanner uses Unicode&#39;s Sentence_Terminal property.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>All engines give the same result. The scanner finds 25 false ends, a tenth, at a recall of 98.5 %.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0011-own-sentence-scanner.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0011OwnSentenceScanner = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0011OwnSentenceScanner as default
};
