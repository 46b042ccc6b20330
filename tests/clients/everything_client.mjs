// npm `@modelcontextprotocol/client` 2.x with the fixtures of the conformance suite, in both eras:
// `auto` finds 2026-07-28, and without it the client speaks 2025-11-25.
//
//   everything_client.mjs URL
//
// Exits 1 with the reason on stderr when a step fails.

import { ANSWER, drive } from './everything.mjs';
import { check, parseUrl, require, run } from './snippets.mjs';

const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');

const url = parseUrl('everything_client.mjs');

async function era(mode, expected) {
  const client = new Client({ name: 'mcpfn-tests', version: '0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
  const questions = [];
  client.setRequestHandler('elicitation/create', (request) => {
    questions.push(request.params.message);
    return ANSWER;
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const protocol = client.getNegotiatedProtocolVersion();
    check(protocol === expected, `${mode} negotiated ${protocol}, expected ${expected}`);
    const list = async () => (await client.listTools()).tools;
    const call = (name, args, options) => client.callTool({ name, arguments: args }, options);
    return `${mode}: ${await drive({ list, call, questions })}`;
  } finally {
    await client.close();
  }
}

await run('client', 120, async () =>
  [await era('auto', '2026-07-28'), await era('legacy', '2025-11-25')].join('; '));
