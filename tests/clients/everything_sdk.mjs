// npm `@modelcontextprotocol/sdk` 1.x with the fixtures of the conformance suite, 2025-11-25: over
// streamable HTTP, and over the older transport of two endpoints, at /sse.
//
//   everything_sdk.mjs URL
//
// URL ends in /mcp; the other endpoint is beside it. Exits 1 with the reason on stderr when a step
// fails.

import { ANSWER, drive } from './everything.mjs';
import { parseUrl, require, run } from './snippets.mjs';

const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { SSEClientTransport } = require('@modelcontextprotocol/sdk/client/sse.js');
const { StreamableHTTPClientTransport } =
  require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

const url = parseUrl('everything_sdk.mjs');

async function over(name, transport) {
  const client = new Client({ name: 'mcpfn-tests', version: '0' },
    { capabilities: { elicitation: {} } });
  const questions = [];
  client.setRequestHandler(ElicitRequestSchema, (request) => {
    questions.push(request.params.message);
    return ANSWER;
  });
  await client.connect(transport);
  try {
    const list = async () => (await client.listTools()).tools;
    const call = (tool, args, options) =>
      client.callTool({ name: tool, arguments: args }, undefined, options);
    return `${name}: ${await drive({ list, call, questions })}`;
  } finally {
    await client.close();
  }
}

await run('sdk', 120, async () => [
  await over('streamable', new StreamableHTTPClientTransport(new URL(url))),
  await over('sse', new SSEClientTransport(new URL('/sse', url))),
].join('; '));
