import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"19. The search for contradictions is wider than the search for copies","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"19. The search for contradictions is wider than the search for copies"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0019-contradictions-are-looked-for-wider.md","filePath":"decisions/0019-contradictions-are-looked-for-wider.md"}');
const _sfc_main = { name: "decisions/0019-contradictions-are-looked-for-wider.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="19-the-search-for-contradictions-is-wider-than-the-search-for-copies" tabindex="-1">19. The search for contradictions is wider than the search for copies <a class="header-anchor" href="#19-the-search-for-contradictions-is-wider-than-the-search-for-copies" aria-label="Permalink to &quot;19. The search for contradictions is wider than the search for copies&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>If two short texts differ in a name, the names are half of the difference. Bounds that suit merging therefore hide most contradictions. Within wider bounds, sets of facts say little: two true texts about one subject also have different facts.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Texts within the wider bounds are aligned word by word. A conflict is a different fact in the same place, with an agreement of at least .85 around it. The bounds only select the pairs to align, so they are not options. By cosine, pairs must also share half of the words of the smaller text: vectors say little about which words are comparable, and this test is far faster than reading the facts of all pairs.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The reports include 2 % (MRPC) and 1.3 % (STS-B) of the pairs that people call the same. Most of them do differ in a number. With an agreement of .8 the shares are 2.8 % and 1.6 %.</li><li>Different plain words in the same place are not reported, even if they are the only difference in twelve or more words. Reporting them would find two more of RAMDocs&#39; 69 contradictions, and 17 of MRPC&#39;s pairs that people call the same.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0019-contradictions-are-looked-for-wider.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0019ContradictionsAreLookedForWider = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0019ContradictionsAreLookedForWider as default
};
