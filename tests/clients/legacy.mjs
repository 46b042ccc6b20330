// npm `@modelcontextprotocol/sdk` 1.x, the legacy wire (initialize, 2025-11-25), saves and gets
// a snippet.
//
//   legacy.mjs [--get] URL NAME TEXT
//   legacy.mjs [--get] --stdio NAME TEXT COMMAND [ARGS...]
//
// `--get` leaves out the saving. Exits 1 with the reason on stderr when a step fails.

import { check, checkTools, parseArguments, require, run, textOf } from './snippets.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } =
  require('@modelcontextprotocol/sdk/client/streamableHttp.js');

const PROTOCOL = '2025-11-25';
const { saves, name, text, url, command } = parseArguments('legacy.mjs');

function connect() {
  if (url) return new StreamableHTTPClientTransport(new URL(url));
  // Without `env` the SDK passes six variables only, and the host reads its settings from there.
  const [program, ...args] = command;
  return new StdioClientTransport({ command: program, args, env: process.env });
}

await run('legacy', 60, async () => {
  const client = new Client({ name: 'mcpfn-tests', version: '0' });
  const transport = connect();
  // Both transports keep what was negotiated in a field of their own; this hook is in each.
  let protocol;
  const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    protocol = version;
    setProtocolVersion?.(version);
  };
  await client.connect(transport);
  try {
    check(protocol === PROTOCOL, `negotiated ${protocol}, expected ${PROTOCOL}`);
    const { tools } = await client.listTools();
    checkTools(tools);
    const steps = [`listed ${tools.length}`];
    if (saves) {
      const saved = await client.callTool(
        { name: 'save_snippet', arguments: { snippetname: name, snippet: text } });
      textOf(saved, 'save_snippet');
      steps.push('saved');
    }
    const got = textOf(
      await client.callTool({ name: 'get_snippets', arguments: { snippetname: name } }),
      'get_snippets');
    check(got === text, `got ${JSON.stringify(got)}, expected ${JSON.stringify(text)}`);
    steps.push('got');
    return steps.join(', ');
  } finally {
    await client.close();
  }
});
