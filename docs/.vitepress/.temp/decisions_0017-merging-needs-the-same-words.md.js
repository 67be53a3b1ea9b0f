import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"17. Merged texts have the same words of substance","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"17. Merged texts have the same words of substance"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0017-merging-needs-the-same-words.md","filePath":"decisions/0017-merging-needs-the-same-words.md"}');
const _sfc_main = { name: "decisions/0017-merging-needs-the-same-words.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="17-merged-texts-have-the-same-words-of-substance" tabindex="-1">17. Merged texts have the same words of substance <a class="header-anchor" href="#17-merged-texts-have-the-same-words-of-substance" aria-label="Permalink to &quot;17. Merged texts have the same words of substance&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-21</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Similar vectors do not mean that two texts say the same thing. On MRPC and STS-B no looser rule reached a precision of .98.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Two texts merge only if they have the same words of substance, no matter how close their vectors are.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>Paraphrases stay. Selection and clustering treat them as redundant.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0017-merging-needs-the-same-words.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0017MergingNeedsTheSameWords = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0017MergingNeedsTheSameWords as default
};
