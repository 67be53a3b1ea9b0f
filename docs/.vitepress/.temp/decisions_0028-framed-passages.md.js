import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"28. A framed passage begins with a bracket and ends with a blank line","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"28. A framed passage begins with a bracket and ends with a blank line"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0028-framed-passages.md","filePath":"decisions/0028-framed-passages.md"}');
const _sfc_main = { name: "decisions/0028-framed-passages.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="28-a-framed-passage-begins-with-a-bracket-and-ends-with-a-blank-line" tabindex="-1">28. A framed passage begins with a bracket and ends with a blank line <a class="header-anchor" href="#28-a-framed-passage-begins-with-a-bracket-and-ends-with-a-blank-line" aria-label="Permalink to &quot;28. A framed passage begins with a bracket and ends with a blank line&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><code>renderContext</code> must fit the token budget before the order of the passages is known. Its boundary must not be guessable.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>Tokenizers split at an opening bracket and at a blank line. Each passage therefore begins and ends there. The boundary consists of random digits.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>The token count of the block is the sum of the counts of its passages, in any order. Any digits take the same number of tokens, so the random numbers never change a decision.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0028-framed-passages.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0028FramedPassages = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0028FramedPassages as default
};
