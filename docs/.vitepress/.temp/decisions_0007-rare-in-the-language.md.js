import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"7. Word rarity is measured in the language, not only in the pool","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"7. Word rarity is measured in the language, not only in the pool"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0007-rare-in-the-language.md","filePath":"decisions/0007-rare-in-the-language.md"}');
const _sfc_main = { name: "decisions/0007-rare-in-the-language.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="7-word-rarity-is-measured-in-the-language-not-only-in-the-pool" tabindex="-1">7. Word rarity is measured in the language, not only in the pool <a class="header-anchor" href="#7-word-rarity-is-measured-in-the-language-not-only-in-the-pool" aria-label="Permalink to &quot;7. Word rarity is measured in the language, not only in the pool&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>All texts of a retrieved pool have the question&#39;s words, so these words look common.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>For pools that were retrieved for the question, a thousand everyday English texts are counted in addition.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Pools that were not retrieved are counted alone, because MuSiQue would lose six points. Pools in other languages are also counted alone: without word lists of their own, their most common words would look rare.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0007-rare-in-the-language.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0007RareInTheLanguage = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0007RareInTheLanguage as default
};
