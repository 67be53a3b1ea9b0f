import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"3. A lead sentence counts only if it has the words of its title","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"3. A lead sentence counts only if it has the words of its title"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0003-leads-name-their-title.md","filePath":"decisions/0003-leads-name-their-title.md"}');
const _sfc_main = { name: "decisions/0003-leads-name-their-title.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="3-a-lead-sentence-counts-only-if-it-has-the-words-of-its-title" tabindex="-1">3. A lead sentence counts only if it has the words of its title <a class="header-anchor" href="#3-a-lead-sentence-counts-only-if-it-has-the-words-of-its-title" aria-label="Permalink to &quot;3. A lead sentence counts only if it has the words of its title&quot;">​</a></h1><ul><li>Status: superseded by <a href="/decisions/0079-relevance-is-a-probability.html">0079</a></li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The first sentence under a title often says what the text is about. The weight of this feature was learned from Wikipedia. Without a condition it cost XQuAD and TAT-QA .04 of mean reciprocal rank. Without the feature MuSiQue lost .10.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>The first sentence counts as a lead only if it has the words of the title.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A first sentence that does not name the title counts like any other sentence.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0003-leads-name-their-title.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0003LeadsNameTheirTitle = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0003LeadsNameTheirTitle as default
};
