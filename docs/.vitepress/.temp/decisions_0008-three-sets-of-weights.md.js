import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"8. Documents, talk and chats have their own weights","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"8. Documents, talk and chats have their own weights"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0008-three-sets-of-weights.md","filePath":"decisions/0008-three-sets-of-weights.md"}');
const _sfc_main = { name: "decisions/0008-three-sets-of-weights.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="8-documents-talk-and-chats-have-their-own-weights" tabindex="-1">8. Documents, talk and chats have their own weights <a class="header-anchor" href="#8-documents-talk-and-chats-have-their-own-weights" aria-label="Permalink to &quot;8. Documents, talk and chats have their own weights&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>In documents, titles and links matter. In a conversation between people, the neighbouring turns and the session matter, because a subject is named once. In a chat with an assistant, the speaker matters.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p>There are three sets of weights. Roles such as <code>user</code> and <code>assistant</code> distinguish a chat from a talk.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>One set for all would cost each of them several points.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0008-three-sets-of-weights.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0008ThreeSetsOfWeights = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0008ThreeSetsOfWeights as default
};
