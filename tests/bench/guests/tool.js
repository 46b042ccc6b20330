// The tool that is measured, in JavaScript: it answers with its argument.

const schema = JSON.stringify({
  type: "object",
  properties: { text: { type: "string", description: "What to answer." } },
  required: ["text"],
});

export const handler = {
  describe() {
    const trigger = {
      name: "trivial_0000",
      title: undefined,
      description: "Answers with its argument.",
      input: { tag: "schema", val: schema },
      outputSchema: undefined,
      annotations: undefined,
      icons: undefined,
      meta: undefined,
    };
    return [{ name: "trivial_0000", trigger: { tag: "tool", val: trigger }, bindings: [], options: [] }];
  },

  invoke(call) {
    const { text } = JSON.parse(call.arguments);
    return { outcome: { tag: "text", val: text }, outputs: [], viewState: undefined, options: [] };
  },
};
