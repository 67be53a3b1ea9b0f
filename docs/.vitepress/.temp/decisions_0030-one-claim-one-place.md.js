import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"30. A group of dependent passages takes one place","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"30. A group of dependent passages takes one place"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0030-one-claim-one-place.md","filePath":"decisions/0030-one-claim-one-place.md"}');
const _sfc_main = { name: "decisions/0030-one-claim-one-place.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="30-a-group-of-dependent-passages-takes-one-place" tabindex="-1">30. A group of dependent passages takes one place <a class="header-anchor" href="#30-a-group-of-dependent-passages-takes-one-place" aria-label="Permalink to &quot;30. A group of dependent passages takes one place&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An attacker writes several passages that push one answer. Passages that were written to answer one question share .2 to .4 of their words with the question. Passages of articles share .03 to .1.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Three or more passages that say the same and share that many words with the question form a group. The most relevant passage takes one of the <code>k</code> places; the others wait until other chunks have theirs. They are not evicted: honest sources agree as well, and words do not tell which of them is right.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Without the bound on shared words, such groups cost MTRAG-UN six points of recall. With it, they cost nothing.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0030-one-claim-one-place.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0030OneClaimOnePlace = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0030OneClaimOnePlace as default
};
