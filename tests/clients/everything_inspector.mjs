// Inspector CLI with the fixtures of the conformance suite, in both eras, `--strict`: lists, calls,
// and takes a structured result.
//
//   everything_inspector.mjs URL
//
// The CLI makes one request and ends: it declares no elicitation, shows no progress, and is
// cancelled by being killed, which says nothing of the host. Those three are for the other clients.
// Exits 1 with the reason on stderr when a step fails.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkFixtures, checkStructured } from './everything.mjs';
import { node22, nodeModules, parseUrl, run, textOf } from './snippets.mjs';

const CLI = join(nodeModules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const url = parseUrl('everything_inspector.mjs');

// The CLI keeps state in the home folder; each run gets its own.
const home = await mkdtemp(join(tmpdir(), 'mcpfn-inspector-'));

function inspect(era, ...options) {
  const flags = ['--protocol-era', era, '--format', 'json', ...options];
  const settings = { env: { ...process.env, HOME: home }, timeout: 30_000, maxBuffer: 1 << 24 };
  return new Promise((resolve, reject) => {
    execFile(node22, [CLI, '--cli', url, ...flags], settings, (error, stdout, stderr) => {
      const step = `${era} ${options.slice(1).join(' ')}`;
      if (error) {
        const end = error.killed ? 'did not end in 30 s' : `exit ${error.code}`;
        return reject(new Error(`${step}: ${end}: ${stderr.trim()} ${stdout.trim()}`));
      }
      try {
        resolve(JSON.parse(stdout).result);
      } catch {
        reject(new Error(`${step}: no JSON on stdout: ${stdout}${stderr}`));
      }
    });
  });
}

function call(era, tool, args) {
  return inspect(era, '--method', 'tools/call', '--tool-name', tool,
    '--tool-args-json', JSON.stringify(args));
}

async function drive(era) {
  const { tools } = await inspect(era, '--method', 'tools/list', '--strict');
  checkFixtures(tools);
  textOf(await call(era, 'test_simple_text', {}), 'test_simple_text');
  checkStructured(await call(era, 'structured', { windy: true }));
  return `${era}: listed, called, structured`;
}

await run('inspector', 120, async () => {
  try {
    return [await drive('modern'), await drive('legacy')].join('; ');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
