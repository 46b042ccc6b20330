// npm `mcp-proxy` before a command that serves its standard input and output: what speaks HTTP
// reaches it through the bridge.
//
//   bridge.mjs COMMAND [ARGS...]
//
// By hand: prints the URL and ends on SIGINT.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { node22, nodeModules } from './snippets.mjs';

const START_MS = 30_000;

const NO_QUESTIONS = 'it does not pass questions on: its client declares no elicitation, sampling or roots';
const NO_TASKS = 'it does not pass tasks on: its client does not declare the extension';

// The scenarios that do not get through the bridge, by requirement set, each with what the bridge
// does instead. Where `checks` is there, only those may fail. All others must pass; one of these
// that passes is reported, so that the list stays true.
export const NOT_CARRIED = {
  '2025-11-25': {
    'dns-rebinding-protection': {
      because: 'it looks at neither Host nor Origin',
      checks: ['localhost-host-rebinding-rejected'],
    },
    'elicitation-sep1034-defaults': { because: NO_QUESTIONS },
    'elicitation-sep1330-enums': { because: NO_QUESTIONS },
    'server-sse-polling': {
      because: 'its own streams carry no retry field',
      checks: ['server-sse-retry-field'],
    },
    'tools-call-elicitation': { because: NO_QUESTIONS },
    'tools-call-sampling': { because: NO_QUESTIONS },
    'tools-call-with-logging': {
      because: 'it keeps logging/setLevel to itself, and a client that asked for no log gets none',
    },
  },
  '2026-07-28': {
    'dns-rebinding-protection': {
      because: 'it looks at neither Host nor Origin',
      checks: ['localhost-host-rebinding-rejected'],
    },
    'http-custom-header-server-validation': {
      because: 'it does not know the schemas that say which arguments come as headers, too',
    },
    'input-required-result-basic-elicitation': { because: NO_QUESTIONS },
    'input-required-result-basic-list-roots': { because: NO_QUESTIONS },
    'input-required-result-basic-sampling': { because: NO_QUESTIONS },
    'input-required-result-capability-check': { because: NO_QUESTIONS },
    'input-required-result-ignore-extra-params': { because: NO_QUESTIONS },
    'input-required-result-missing-input-response': { because: NO_QUESTIONS },
    'input-required-result-multi-round': { because: NO_QUESTIONS },
    'input-required-result-multiple-input-requests': { because: NO_QUESTIONS },
    'input-required-result-non-tool-request': { because: NO_QUESTIONS },
    'input-required-result-request-state': { because: NO_QUESTIONS },
    'input-required-result-result-type': { because: NO_QUESTIONS },
    'input-required-result-tampered-state': { because: NO_QUESTIONS },
    'server-stateless': {
      because: NO_QUESTIONS,
      checks: ['sep-2575-http-server-no-independent-requests-on-stream'],
    },
    'tasks-capability-negotiation': { because: NO_TASKS },
    'tasks-dispatch-and-envelope': { because: NO_TASKS },
    'tasks-lifecycle': { because: NO_TASKS },
    'tasks-mrtr-composition': { because: NO_TASKS },
    'tasks-mrtr-input': { because: NO_TASKS },
    'tasks-request-headers': { because: NO_TASKS },
    'tasks-request-state-removal': { because: NO_TASKS },
    'tasks-wire-fields': { because: NO_TASKS },
  },
};

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// Starts the bridge and waits until it answers. It speaks the era of the set to the command, too.
export async function startBridge(command, requirements) {
  const port = await freePort();
  const upstream = requirements === '2025-11-25' ? 'legacy' : 'modern';
  const args = ['--port', String(port), '--upstreamProtocol', upstream, '--', ...command];
  const proxy = spawn(node22, [join(nodeModules, 'mcp-proxy/dist/bin/mcp-proxy.mjs'), ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [proxy.stdout, proxy.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => { log = (log + chunk).slice(-4000); });
  }
  const ended = new Promise((resolve) => { proxy.on('close', resolve).on('error', resolve); });
  const stop = async () => {
    proxy.kill('SIGTERM');
    await Promise.race([ended, sleep(10_000).then(() => proxy.kill('SIGKILL'))]);
  };
  const url = `http://localhost:${port}/mcp`;
  for (const deadline = Date.now() + START_MS; ;) {
    const answer = await fetch(`http://localhost:${port}/ping`).catch(() => null);
    if (answer) return { url, stop };
    if (proxy.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the bridge does not start: ${log}`);
    }
    // It says nothing when it serves.
    await Promise.race([ended, sleep(50)]);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await startBridge(process.argv.slice(2), '2026-07-28');
  console.log(url);
}
