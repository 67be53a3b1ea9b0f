export default { options: { budget: { maxTokens: 0 } } };
