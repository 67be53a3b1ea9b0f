const _imports_0 = "/plots/agent-tokens.svg";
export {
  _imports_0 as _
};
