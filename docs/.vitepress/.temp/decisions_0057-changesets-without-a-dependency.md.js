import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"57. Changesets are files, their tool is no dependency","description":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS.","frontmatter":{"head":[["meta",{"property":"og:title","content":"57. Changesets are files, their tool is no dependency"}],["meta",{"property":"og:description","content":"Shape over-fetched retrieval results into the best evidence that fits a token budget, with a ledger of every eviction. For LangChain.js, LangGraph, the AI SDK, Mastra, OpenAI Agents, MCP and LlamaIndex.TS."}]]},"headers":[],"relativePath":"decisions/0057-changesets-without-a-dependency.md","filePath":"decisions/0057-changesets-without-a-dependency.md"}');
const _sfc_main = { name: "decisions/0057-changesets-without-a-dependency.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="57-changesets-are-files-their-tool-is-no-dependency" tabindex="-1">57. Changesets are files, their tool is no dependency <a class="header-anchor" href="#57-changesets-are-files-their-tool-is-no-dependency" aria-label="Permalink to &quot;57. Changesets are files, their tool is no dependency&quot;">​</a></h1><ul><li>Status: accepted</li><li>Date: 2026-11-22</li></ul><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Several people change the package at once, and each change needs a line in the changelog and a kind of release. <code>@changesets/cli</code> 3 does not support Node 20, which development uses. It would add 26 MB and 116 packages to every installation, and is needed once per release.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><p><code>.changeset/</code> has the configuration and one file per change. A release runs <code>npx @changesets/cli version</code>.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><p>A test checks the form of the files. A trial run of the tool raised the version and wrote the changelog.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0057-changesets-without-a-dependency.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0057ChangesetsWithoutADependency = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _0057ChangesetsWithoutADependency as default
};
