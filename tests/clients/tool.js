// A tool in JavaScript: it answers with its argument, or never.

export const handler = {
  describe() {
    const text = { name: "text", kind: "string", required: true, array: false, enumValues: [] };
    const tool = { name: "js_echo", description: "Echoes.", input: { tag: "properties", val: [text] }, task: "forbidden" };
    const echo = { name: "js_echo", trigger: { tag: "tool", val: tool }, bindings: [], options: [] };
    return { functions: [echo], skills: [] };
  },

  invoke(call) {
    const { text } = JSON.parse(call.arguments);
    while (text === "loop") {}
    return { outcome: { tag: "text", val: text }, outputs: [], options: [] };
  },
};
