import { resolveComponent, useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderComponent } from "vue/server-renderer";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Playground","description":"The library itself, in this page. Paste chunks and a question, and see which chunks stay, and why. Nothing leaves the page.","frontmatter":{"layout":"page","sidebar":false,"title":"Playground","description":"The library itself, in this page. Paste chunks and a question, and see which chunks stay, and why. Nothing leaves the page.","head":[["meta",{"property":"og:title","content":"Playground"}],["meta",{"property":"og:description","content":"The library itself, in this page. Paste chunks and a question, and see which chunks stay, and why. Nothing leaves the page."}]]},"headers":[],"relativePath":"playground.md","filePath":"playground.md"}');
const _sfc_main = { name: "playground.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  const _component_ShapePlayground = resolveComponent("ShapePlayground");
  _push(`<div${ssrRenderAttrs(_attrs)}>`);
  _push(ssrRenderComponent(_component_ShapePlayground, null, null, _parent));
  _push(`</div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("playground.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const playground = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  playground as default
};
